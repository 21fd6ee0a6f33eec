-- sql/functions/series/sax.sql
tanon_sax(tanon._series('tanon.sax', series), level, segments)
