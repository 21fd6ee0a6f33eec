-- sql/functions/granularity/granule_start.sql
-- tanon._clock: sql/private/clocks.sql
-- tanon._known: sql/private/granules.sql
-- tanon._of_same_type: sql/private/clocks.sql
-- tanon._start: sql/private/granules.sql
tanon._known('tanon.granule_start', tanon._clock('tanon.granule_start', admitted, NULL), '2 weeks',
    tanon._of_same_type(
        tanon._start(tanon._clock('tanon.granule_start', admitted, NULL), '2 weeks'), admitted, NULL))
