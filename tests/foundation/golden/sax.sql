-- sql/functions/series/sax.sql
-- tanon._answer: sql/private/arguments.sql
-- tanon._series: sql/private/series.sql
tanon._answer("_tanon_sax"(tanon._series('tanon.sax', incomes), 3, NULL))
