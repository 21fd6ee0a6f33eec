-- sql/functions/series/z_normalize.sql
tanon_z_normalize(tanon._series('tanon.z_normalize', series))
