-- sql/functions/series/z_normalize.sql
-- tanon._answer: sql/private/arguments.sql
-- tanon._series: sql/private/series.sql
tanon._answer("_tanon_z_normalize"(tanon._series('tanon.z_normalize', ([1, 2, 3]))))
