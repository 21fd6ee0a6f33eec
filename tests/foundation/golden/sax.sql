-- sql/functions/series/sax.sql
-- tanon._series: sql/private/series.sql
"_tanon_sax"(tanon._series('tanon.sax', incomes), 3, NULL)
