-- sql/functions/series/sax_series.sql
tanon_sax_series(pr, level)
