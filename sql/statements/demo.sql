-- A hospital wants to publish its visits. Patients are left out, but zip, age and sex stay:
-- how many patients share each combination?

from visits limit 5;

from tanon.k_anonymity('visits', uid := 'patient', qi := ['zip', 'age', 'sex']);

-- Most visitors would stand alone. With age in steps of twenty years nobody does:

from tanon.k_anonymity(
    '(select patient, zip, age // 20 * 20 as age, sex from visits)',
    uid := 'patient', qi := ['zip', 'age', 'sex']
);

-- These groups are still too small for k = 8, and must not be published as they are:

from tanon.k_anonymity_violations(
    '(select patient, zip, age // 20 * 20 as age, sex from visits)',
    uid := 'patient', qi := ['zip', 'age', 'sex'], k := 8
) order by all;
