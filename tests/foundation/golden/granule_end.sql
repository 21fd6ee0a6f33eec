-- sql/functions/granularity/granule_end.sql
-- tanon._clock: sql/private/clocks.sql
-- tanon._end: sql/private/granules.sql
-- tanon._known: sql/private/granules.sql
-- tanon._of_same_type: sql/private/clocks.sql
tanon._known('tanon.granule_end', tanon._clock('tanon.granule_end', admitted, NULL), 'dekad',
    tanon._of_same_type(
        tanon._end(tanon._clock('tanon.granule_end', admitted, NULL), 'dekad'), admitted, NULL))
