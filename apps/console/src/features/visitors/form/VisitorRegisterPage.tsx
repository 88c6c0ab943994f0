/** /visitorRegister and /regularVisitorRegister: a visitor is registered, invited, or a reservation is made for them. */
import { Button, Result } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { useMayOpen } from '../../../api/session.ts'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { FormPage } from '../../../kit/form/FormPage.tsx'
import { screens } from '../../../screens.ts'
import { pathOfVisit } from '../visitPaths.ts'
import { useNewVisit, useVisitForm } from './useVisitForm.ts'
import { VisitFields } from './VisitFields.tsx'
import type { VisitKind, VisitValues } from './visitValues.ts'

/** The visit that was just made. */
interface Registered {
  id: string
  status: number
  name: string
}

const TITLES = { single: 'shell:title.visitorRegister', regular: 'shell:title.regularVisitorRegister' } as const

export default function VisitorRegisterPage({ kind }: { kind: VisitKind }) {
  const [registered, setRegistered] = useState<Registered>()
  return registered ? (
    <RegisteredVisit kind={kind} visit={registered} again={() => setRegistered(undefined)} />
  ) : (
    <RegisterVisit kind={kind} onDone={setRegistered} />
  )
}

function RegisterVisit({ kind, onDone }: { kind: VisitKind; onDone: (visit: Registered) => void }) {
  const { t } = useTranslation('visitors')
  const { prepare, ...rules } = useVisitForm(true)
  const initial = useNewVisit(kind)
  const name = useRef('')
  return (
    <FormPage<typeof visitorCalls.create, VisitValues>
      call={visitorCalls.create}
      title={t(TITLES[kind])}
      initial={initial}
      {...rules}
      prepare={(body) => {
        name.current = String(body['name'] ?? '').trim()
        return prepare(body)
      }}
      done={t('registered')}
      draft={`visit.${kind}`}
      onDone={({ id, status }) => onDone({ id, status, name: name.current })}
    >
      <VisitFields kind={kind} isNew />
    </FormPage>
  )
}

const WORDS: Readonly<Partial<Record<number, 'pending' | 'expected' | 'confirming'>>> = {
  [visitorStatus.pendingReview]: 'pending',
  [visitorStatus.toConfirm]: 'confirming',
  [visitorStatus.notYetVisited]: 'expected',
}

/** The outcome, and the next steps: another visitor, or this visit. */
function RegisteredVisit({ kind, visit: { id, status, name }, again }: { kind: VisitKind; visit: Registered; again: () => void }) {
  const { t } = useTranslation('visitors')
  const navigate = useNavigate()
  const mayOpen = useMayOpen(screens.visitorCurrent)
  return (
    <Screen title={t(TITLES[kind])}>
      <Result
        status="success"
        title={t('registeredOne', { name })}
        subTitle={
          <>
            <EnumTag of={visitorStatus} value={status} /> {t(`registeredMeans.${WORDS[status] ?? 'present'}`)}
          </>
        }
        extra={
          <>
            <Button type="primary" autoFocus onClick={again}>
              {t('registerAnother')}
            </Button>
            {mayOpen && <Button onClick={() => void navigate(pathOfVisit(id))}>{t('showVisit')}</Button>}
          </>
        }
      />
    </Screen>
  )
}
