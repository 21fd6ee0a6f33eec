-- sql/functions/series/pattern_loss.sql
-- tanon._series: sql/private/series.sql
"_tanon_pattern_loss"(tanon._series('tanon.pattern_loss', ([1, 2, 4])), 'abc', 3)
