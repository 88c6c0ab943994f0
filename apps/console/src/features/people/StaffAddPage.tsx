/** /staffAdd: registers a person on a page of its own, then shows them. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { FormPage } from '../../kit/FormPage.tsx'
import { ready } from '../../kit/loaded.ts'
import { path } from '../../paths.ts'
import { PersonFields } from './PersonFields.tsx'
import { faceMissing, newPerson, useFaceWanted } from './personValues.ts'

export default function StaffAddPage() {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const faceWanted = useFaceWanted()
  return (
    <FormPage
      call={peopleCalls.create}
      title={t('add')}
      initial={ready(newPerson(undefined))}
      hidden={{ kind: 'staff' }}
      {...(faceWanted && { also: faceMissing })}
      done={t('added')}
      draft="staff.add"
      onDone={({ id }) => void navigate(path('staffDetails', { id }), { replace: true })}
    >
      <PersonFields />
    </FormPage>
  )
}
