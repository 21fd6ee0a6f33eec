-- sql/functions/series/z_normalize.sql
tanon_z_normalize(series)
