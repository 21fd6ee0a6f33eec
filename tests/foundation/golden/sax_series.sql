-- sql/functions/series/sax_series.sql
"_tanon_sax_series"('aabc', 3)
