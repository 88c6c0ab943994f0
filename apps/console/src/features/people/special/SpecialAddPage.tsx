/** /blackAdd: adds a person to the watch list on a page of its own, then shows them. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { specialCalls } from '@gatehouse/contract/people/special'
import { FormPage } from '../../../kit/form/FormPage.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { pathOfPerson } from '../personKinds.ts'
import { newPerson } from '../personValues.ts'
import { usePersonForm } from '../usePersonForm.ts'
import { SpecialFields } from './SpecialFields.tsx'

export default function SpecialAddPage() {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const { saved, ...rules } = usePersonForm('special')
  return (
    <FormPage
      call={specialCalls.create}
      title={t('special.add')}
      initial={ready(newPerson(undefined))}
      {...rules}
      done={t('special.added')}
      draft="special.add"
      onDone={({ id }) => {
        saved(id)
        void navigate(pathOfPerson('special', id), { replace: true })
      }}
    >
      <SpecialFields openPerson={(id) => void navigate(pathOfPerson('staff', id))} />
    </FormPage>
  )
}
