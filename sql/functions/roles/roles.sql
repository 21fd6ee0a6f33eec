-- Returns the declared roles of the columns of a relation.
--
-- tanon.set_roles declares roles, and functions use them for omitted arguments. For example, from
-- tanon.risk_by_granularity('visits') needs no other argument. Releases do not contain columns
-- without a role. If the session has a role of a column that no longer exists, the type is NULL.
--
-- Arguments:
--   source  relation  the table, the view or the query in parentheses
-- Result:
--   column_name  VARCHAR  the column
--   column_type  VARCHAR  the type; NULL if source no longer has the column
--   role         VARCHAR  respondent, quasi-identifier, time, sensitive, keep or drop; NULL without
--       a role
--   how          VARCHAR  the generalization of the column
--   kept_in      VARCHAR  'comment', or 'session' if the relation cannot have comments
-- For: the owner
-- Example:
--   from tanon.roles('visits')

select
    coalesce(c.column_name, tanon_role['column_name']) as column_name, column_type,
    tanon_role['role'] as role, tanon_role['how'] as how,
    case when tanon_role['is_comment'] then 'comment' when tanon_role is not null then 'session' end
        as kept_in
from {own_columns} as c full join {held_roles} on folded = tanon_role['folded']
order by tanon_place asc nulls last, column_name asc nulls last
