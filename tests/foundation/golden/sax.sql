-- sql/functions/series/sax.sql
tanon_sax(series, level, segments)
