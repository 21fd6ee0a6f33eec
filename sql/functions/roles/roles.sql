-- What the columns of a relation are declared to be.
--
-- Roles are declared once (tanon.set_roles) and used by every function whose arguments are left
-- out: from tanon.risk_by_granularity('visits'). A column without a role leaves with no release. A
-- role of the session whose column is gone is listed without a type.
--
-- Arguments:
--   source  relation  the table, the view or the query in parentheses
-- Result:
--   column_name  VARCHAR  the column
--   column_type  VARCHAR  its type; NULL if source has no such column any more
--   role         VARCHAR  respondent, quasi-identifier, time, sensitive, keep or drop; NULL: none
--   how          VARCHAR  how it may be generalized
--   kept_in      VARCHAR  comment, or session where the relation cannot have comments
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
