/** Notices on the page of a person who has just been registered or changed: the outcome, and the next step. */
import { Alert, Button, Space } from 'antd'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useLocation } from 'react-router'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { useRead } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { isGranted, PermitNotice, type PermitValue, type PermitResult } from '../approvals/index.ts'
import { usePersonSync } from '../synchronisation/index.ts'
import { personKinds, type RegisterKind } from './personKinds.ts'
import styles from './people.module.css'

interface RegisteredProps {
  personId: string
  kind: RegisterKind
  justSaved: JustSaved | null
  setJustSaved: (next: JustSaved | null) => void
  /** Open the dialog that permits, with what was chosen before. */
  permit: (chosen?: PermitValue) => void
}

export function Registered({ personId, kind, justSaved, setJustSaved, permit }: RegisteredProps) {
  if (justSaved === null) return null
  const { registered = false, permitted } = justSaved
  return (
    <div className={styles.just}>
      {registered && <Success personId={personId} kind={kind} close={() => setJustSaved(null)} permit={() => permit()} />}
      {permitted && !isGranted(permitted) && (
        <Suspense fallback={null}>
          <PermitNotice result={permitted} close={() => setJustSaved({ registered })} retry={() => permit(permitted.chosen)} />
        </Suspense>
      )}
    </div>
  )
}

function Success({ personId, kind, permit, close }: { personId: string; kind: RegisterKind; permit: () => void; close: () => void }) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const doors = useRead(strategyCalls.ofPerson, { query: { personId } })
  const mayPermit = useMayCall(permitCalls.persons)
  const found = doors.data ?? []
  const { isLoaded, holding, lacksPhoto } = usePersonSync(
    personId,
    found.map(({ deviceId }) => deviceId),
  )
  const count = found.length
  return (
    <Alert
      type="success"
      showIcon
      closable={{ closeIcon: true, onClose: close, 'aria-label': t('approvals:permit.close') }}
      title={t('registered.title')}
      description={
        <span role="status">
          {doors.data && <span>{count === 0 ? t('registered.nowhere') : t('registered.doors', { count })}</span>}
          {isLoaded && lacksPhoto && <span>{t('noPhoto')}</span>}
          {isLoaded && !lacksPhoto && (
            <span>{holding === count ? t('registered.allHold') : t('registered.hold', { count: holding, all: count })}</span>
          )}
        </span>
      }
      action={
        <Space>
          <Button onClick={() => void navigate(path(personKinds[kind].add))}>{t('registered.another')}</Button>
          {mayPermit && doors.data && count === 0 && (
            <Button type="primary" onClick={permit}>
              {t('approvals:permit.permit')}
            </Button>
          )}
        </Space>
      }
    />
  )
}

export interface JustSaved {
  registered?: boolean
  /** Outcome of the permission that was chosen in the form. */
  permitted?: PermitResult | undefined
}

interface JustSavedState {
  justSaved: JustSaved | null
  setJustSaved: (next: JustSaved | null) => void
}

/**
 * Return what a form passed to the page of the person, and a setter. It is removed from the browser's history at once, so that a
 * reload does not show it again.
 */
export function useJustSaved(personId: string): JustSavedState {
  const navigate = useNavigate()
  const { state: received, pathname, search } = useLocation() as { state: JustSaved | null; pathname: string; search: string }
  const [current, setCurrent] = useState({ personId, justSaved: received })
  // The same page may be opened again, with a new outcome or for another person.
  if (current.personId !== personId) setCurrent({ personId, justSaved: received })
  else if (received !== null && received !== current.justSaved) setCurrent({ personId, justSaved: received })
  useEffect(() => {
    if (received !== null) void navigate({ pathname, search }, { replace: true, state: null })
  }, [received, navigate, pathname, search])
  return { justSaved: current.justSaved, setJustSaved: (justSaved) => setCurrent({ personId, justSaved }) }
}
