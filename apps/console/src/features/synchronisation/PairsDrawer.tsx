/** The persons of one device, or the devices of one person, beside the list: how far each is, why not, and once more. */
import { RedoOutlined } from '@ant-design/icons'
import { Button, Drawer } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PAGE_START } from '@gatehouse/contract'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { AgainButton } from './AgainButton.tsx'
import { usePairColumns } from './pairColumns.tsx'
import { PairFilters } from './PairFilters.tsx'
import { useSyncWords } from './syncWords.ts'
import { usePairs, type PairsOf } from './usePairs.ts'
import { useResend } from './useResend.ts'
import { useSyncWatch } from './useSyncWatch.ts'
import styles from './synchronisation.module.css'

const WIDTH = 720
const UNDER_WAY: readonly number[] = [personSyncStatus.syncing, personSyncStatus.deleting]
const TO_SEND_AGAIN: readonly number[] = [personSyncStatus.failed, personSyncStatus.overtime]

export interface PairsSubject {
  of: PairsOf
  /** Of the device or person. */
  name: string
  /** Filter it opens with. */
  status?: number | undefined
}

/** @param subject undefined: closed */
export default function PairsDrawer({ subject, close }: { subject: PairsSubject | undefined; close: () => void }) {
  const { t } = useTranslation('synchronisation')
  const words = useSyncWords()
  const inside = useRef<HTMLDivElement>(null)
  const title =
    subject &&
    (subject.of.deviceId !== undefined ? t('personsOf', { name: subject.name }) : t('devicesOf', { name: words.person(subject.name) }))
  return (
    <Drawer
      open={subject !== undefined}
      onClose={close}
      size={WIDTH}
      title={title}
      destroyOnHidden
      // Page numbers stick to the edge; a table has the colour of the page.
      styles={{ body: { paddingBottom: 0, background: 'var(--surface)' } }}
      afterOpenChange={(open) => open && inside.current?.focus({ preventScroll: true })}
    >
      <div ref={inside} tabIndex={-1} className={styles.inside}>
        {subject && <Pairs {...subject} />}
      </div>
    </Drawer>
  )
}

/** What failed stands first: where none does on the first page of all, there is none. Nor is there any among those without a photo. */
const nothingFailed = ({ rows, query: { status, name, page } }: ReturnType<typeof usePairs>): boolean =>
  status === personSyncStatus.photoMissing ||
  (status === undefined && name === undefined && page === PAGE_START && !rows.some((pair) => TO_SEND_AGAIN.includes(pair.status)))

function Pairs({ of, status }: PairsSubject) {
  const { t } = useTranslation('synchronisation')
  const each = of.deviceId !== undefined ? 'person' : 'device'
  const list = usePairs(of, status)
  const columns = usePairColumns(each)
  const words = useSyncWords()
  const { resend, pending } = useResend()
  useSyncWatch(list.rows.some((pair) => UNDER_WAY.includes(pair.status)))

  return (
    <>
      <PairFilters list={list} label={each === 'person' ? t('records:person') : t('records:door')}>
        <Button icon={<RedoOutlined />} loading={pending} disabled={nothingFailed(list)} onClick={() => resend(of)}>
          {t('resendAll')}
        </Button>
      </PairFilters>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: each === 'person' ? t('noPersons') : t('noDevices') }}
        actions={({ personId, personName, deviceId, deviceName, status: own }) =>
          TO_SEND_AGAIN.includes(own) && (
            <AgainButton
              target={{ personId, deviceId, ...(of.strategyId !== undefined && { strategyId: of.strategyId }) }}
              label={t('resendPair', { person: words.person(personName), device: deviceName })}
            />
          )
        }
      />
    </>
  )
}
