-- sql/functions/series/series_pattern_loss.sql
-- tanon._answer: sql/private/arguments.sql
-- tanon._series: sql/private/series.sql
tanon._answer("_tanon_pattern_loss"(tanon._series('tanon.series_pattern_loss', ([1, 2, 4])), 'abc', 3))
