-- sql/functions/series/sax_series.sql
-- tanon._answer: sql/private/arguments.sql
tanon._answer("_tanon_sax_series"('aabc', 3))
