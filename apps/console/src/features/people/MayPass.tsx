/** The doors that open for a person, by which strategies, and whether the terminals there hold them already. */
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { personStatus } from '@gatehouse/contract/enums/people'
import type { Person } from '@gatehouse/contract/people/calls'
import { DetailPage, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import { usePersonSync, useSyncWords } from '../synchronisation/index.ts'
import styles from './people.module.css'

interface MayPassProps {
  person: Person
  /** Opens the dialog that permits. */
  permit: () => void
}

/** Why no door opens for a person whatever strategies say; null: doors do. */
function useBarred({ status, validFrom, validTo }: Person): 'disabled' | 'notYet' | 'ended' | null {
  const [now] = useState(() => Date.now())
  if (status === personStatus.disabled) return 'disabled'
  if (validTo !== null && validTo < now) return 'ended'
  return validFrom !== null && validFrom > now ? 'notYet' : null
}

export function MayPass({ person, permit }: MayPassProps) {
  const { t } = useTranslation('people')
  const barred = useBarred(person)
  const doors = useRead(strategyCalls.ofPerson, { query: { personId: person.id } }, { enabled: barred === null })
  const mayPermit = useMayCall(permitCalls.persons)
  const words = useSyncWords()
  const found = doors.data ?? []
  const { pairOf, known } = usePersonSync(
    person.id,
    found.map(({ deviceId }) => deviceId),
  )
  const nowhere = doors.data?.length === 0 && t(mayPermit ? 'mayPassNowhereYet' : 'mayPassNowhere')
  return (
    <Section
      title={t('mayPass')}
      empty={barred === null ? nowhere : t(`barred.${barred}`)}
      extra={mayPermit && barred !== 'disabled' && <Button onClick={permit}>{t('approvals:permit.permit')}</Button>}
    >
      <DetailPage query={doors}>
        {(all) => (
          <ul className={styles.doors}>
            {all.map(({ deviceId, deviceName, strategies }) => {
              const pair = pairOf(deviceId)
              return (
                <li key={deviceId}>
                  <span>
                    <b title={deviceName}>{deviceName}</b>
                    <small>{strategies.map(({ name }) => name).join(t('common:listSeparator'))}</small>
                  </span>
                  {known && (
                    <span>
                      <EnumTag of={personSyncStatus} value={pair?.status ?? personSyncStatus.syncing} />
                      {pair?.message && <small>{words.reason(pair.message)}</small>}
                    </span>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </DetailPage>
    </Section>
  )
}
