/** Registers a person on a page of its own, then shows them. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { FormPage } from '../../kit/form/FormPage.tsx'
import { PersonFields } from './PersonFields.tsx'
import { pathOfPerson, type RegisterKind } from './personKinds.ts'
import type { JustSaved } from './Registered.tsx'
import { useNewPerson, usePersonForm } from './usePersonForm.ts'

export default function PersonAddPage({ kind }: { kind: RegisterKind }) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const { saved, ...rules } = usePersonForm(kind)
  const initial = useNewPerson(kind)
  return (
    <FormPage
      call={peopleCalls.create}
      title={t('add', { context: kind })}
      initial={initial}
      hidden={{ kind }}
      {...rules}
      done={t('added')}
      draft={`${kind}.add`}
      onDone={async ({ id }) => {
        const permitted = await saved(id)
        void navigate(pathOfPerson(kind, id), { replace: true, state: { registered: true, permitted } satisfies JustSaved })
      }}
    >
      <PersonFields kind={kind} openPerson={(id) => void navigate(pathOfPerson(kind, id))} />
    </FormPage>
  )
}
