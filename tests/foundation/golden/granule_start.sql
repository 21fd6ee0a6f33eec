-- sql/functions/granularity/granule_start.sql
tanon._known('tanon.granule_start', tanon._clock('tanon.granule_start', ts, tz), granularity,
    tanon._of_same_type(
        tanon._start(tanon._clock('tanon.granule_start', ts, tz), granularity), ts, tz))
