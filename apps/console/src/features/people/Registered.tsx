/** Said on the page of a person who has just been registered or changed: what became of it, and the next step. */
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
  said: JustSaved | null
  say: (next: JustSaved | null) => void
  /** Opens the dialog that permits, with what was chosen before. */
  permit: (chosen?: PermitValue) => void
}

export function Registered({ personId, kind, said, say, permit }: RegisteredProps) {
  if (said === null) return null
  const { registered = false, permitted } = said
  return (
    <div className={styles.just}>
      {registered && <Success personId={personId} kind={kind} close={() => say(null)} permit={() => permit()} />}
      {permitted && !isGranted(permitted) && (
        <Suspense fallback={null}>
          <PermitNotice result={permitted} close={() => say({ registered })} retry={() => permit(permitted.chosen)} />
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
  const { known, holding, lacksPhoto } = usePersonSync(
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
          {known && lacksPhoto && <span>{t('noPhoto')}</span>}
          {known && !lacksPhoto && (
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
  /** What became of the permission that was asked for with it. */
  permitted?: PermitResult | undefined
}

interface Said {
  said: JustSaved | null
  say: (next: JustSaved | null) => void
}

/**
 * What a form hands to the page it leads to, said there once: the history of the browser, which a reload reads again, forgets it at once.
 */
export function useJustSaved(personId: string): Said {
  const navigate = useNavigate()
  const { state: handed, pathname, search } = useLocation() as { state: JustSaved | null; pathname: string; search: string }
  const [kept, keep] = useState({ personId, said: handed })
  // The same page may be led to again, with news or about another person.
  if (kept.personId !== personId) keep({ personId, said: handed })
  else if (handed !== null && handed !== kept.said) keep({ personId, said: handed })
  useEffect(() => {
    if (handed !== null) void navigate({ pathname, search }, { replace: true, state: null })
  }, [handed, navigate, pathname, search])
  return { said: kept.said, say: (said) => keep({ personId, said }) }
}
