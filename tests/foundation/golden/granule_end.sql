-- sql/functions/granularity/granule_end.sql
tanon._known('tanon.granule_end', tanon._clock('tanon.granule_end', ts, tz), granularity,
    tanon._of_same_type(
        tanon._end(tanon._clock('tanon.granule_end', ts, tz), granularity), ts, tz))
