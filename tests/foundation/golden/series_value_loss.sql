-- sql/functions/series/series_value_loss.sql
-- tanon._ends: sql/private/series.sql
-- tanon._unfit_setting: sql/private/operators.sql
-- tanon._value_loss: sql/private/series.sql
case when tanon._unfit_setting('tanon.series_value_loss') is not null
    then error(tanon._unfit_setting('tanon.series_value_loss'))
    else tanon._value_loss(([1, 2]), ([4, 6]), tanon._ends(([1, 2])), tanon._ends(([4, 6]))) end
