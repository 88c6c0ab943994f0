/** Actions on a record: block its person, open its door, copy its link. */
import { CheckOutlined, LinkOutlined, StopOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import TextArea from 'antd/es/input/TextArea'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { PAGE_SIZE_MAX, TEXT_MAX } from '@gatehouse/contract'
import { synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { personStatus } from '@gatehouse/contract/enums/people'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { copyText } from '../../kit/copyText.ts'
import { useMayCall } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { modal } from '../../kit/feedback.tsx'
import { useRead } from '../../api/query.ts'
import { useOnce } from '../../kit/form/useOnce.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { DoorOf } from '../devices/index.ts'
import { useSyncWatch } from '../synchronisation/index.ts'
import styles from './records.module.css'

export function RecordActions({ record }: { record: AccessRecord }) {
  const { personId, personName, personParkName, deviceId } = record
  const maySeeDoor = useMayCall(deviceCalls.read)
  const mayOpenDoor = useMayCall(doorCalls.controlDoor)
  return (
    <div className={styles.actions}>
      {personId !== null && !isPseudonym(personId) && !personParkName && <PersonStanding personId={personId} name={personName} />}
      <CopyLink id={record.id} />
      {maySeeDoor && mayOpenDoor && (
        <Suspense fallback={null}>
          <DoorOf deviceId={deviceId} />
        </Suspense>
      )}
    </div>
  )
}

function CopyLink({ id }: { id: string }) {
  const { t } = useTranslation('records')
  const link = useRef<HTMLSpanElement>(null)
  const [state, setState] = useState<'idle' | 'copied' | 'byHand'>('idle')
  const address = `${location.href.replace(/#.*$/, '')}#${path('staffCurrent')}?record=${id}`
  const copy = async (): Promise<void> => setState(link.current && (await copyText(address, link.current)) ? 'copied' : 'byHand')
  return (
    <>
      <Button size="small" icon={state === 'copied' ? <CheckOutlined /> : <LinkOutlined />} onClick={() => void copy()}>
        {state === 'copied' ? t('linkCopied') : t('copyLink')}
      </Button>
      {/* Visible only where it has to be copied by hand. */}
      <span ref={link} className={state === 'byHand' ? styles.link : 'unseen'} aria-hidden={state !== 'byHand'}>
        {address}
      </span>
    </>
  )
}

/** What was done, and when the server had done it; epoch milliseconds. */
interface Done {
  what: 'blocked' | 'enabled'
  at: number
}

/** Blocks the person of a record, or enables them again, and shows how many terminals have received the change. */
function PersonStanding({ personId, name }: { personId: string; name: string }) {
  const { t } = useTranslation('records')
  const once = useOnce()
  const [done, setDone] = useState<Done>()
  const mayChange = useMayCall(peopleCalls.status)
  const maySee = useMayCall(synchronisationCalls.devicesOfPerson)
  const standing = useRead(peopleCalls.standing, { query: { id: personId } }, { enabled: mayChange })
  const change = useWrite(peopleCalls.status)
  if (!mayChange) return null
  // The button keeps its place, so that those beside it do not move.
  if (standing.isPending) return <BlockButton disabled />
  // Persons of the watch list are admitted nowhere anyway.
  if (!standing.data || standing.data.kind === 'special') return null
  const set = async (status: 0 | 1, reason?: string): Promise<void> => {
    await change.send({ body: { ids: [personId], status, ...(reason && { reason }) } })
    setDone({ what: status === personStatus.disabled ? 'blocked' : 'enabled', at: Date.now() })
  }
  const block = (): void => {
    const input = { reason: '' }
    modal.confirm({
      title: t('standing.title', { name }),
      content: (
        <div className={styles.asked}>
          <p>{t('standing.words')}</p>
          <label>
            {t('standing.reason')}
            <TextArea rows={2} maxLength={TEXT_MAX} onChange={({ target }) => (input.reason = target.value.trim())} />
          </label>
        </div>
      ),
      okText: t('standing.block'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => set(personStatus.disabled, input.reason),
    })
  }
  return (
    <>
      {standing.data.enabled ? (
        <BlockButton onClick={block} />
      ) : (
        <Button size="small" loading={change.pending} onClick={() => once(() => set(personStatus.enabled))}>
          {t('standing.enable')}
        </Button>
      )}
      {done && (
        <p role="status" className={styles.told}>
          {maySee ? <DoorsReached personId={personId} done={done} /> : t(`standing.${done.what}.unknown`)}
        </p>
      )}
    </>
  )
}

function BlockButton(props: { disabled?: boolean; onClick?: () => void }) {
  const { t } = useTranslation('records')
  return (
    <Button danger size="small" icon={<StopOutlined />} {...props}>
      {t('standing.block')}
    </Button>
  )
}

/** Milliseconds within which every terminal that has to receive a change is marked as waiting for it. */
const NOTED = 1500
const WAITING: readonly number[] = [personSyncStatus.syncing, personSyncStatus.deleting, personSyncStatus.overtime]

/** The number of doors that have received the change, updated until all of them have. */
function DoorsReached({ personId, done: { what, at } }: { personId: string; done: Done }) {
  const { t } = useTranslation('records')
  const pairs = useRead(synchronisationCalls.devicesOfPerson, { query: { personId, size: PAGE_SIZE_MAX } })
  // A read right after the change may not include it yet.
  const isCurrent = pairs.data !== undefined && pairs.dataUpdatedAt >= at + NOTED
  const count = pairs.data?.total ?? 0
  const waiting = pairs.data?.content.filter(({ status }) => WAITING.includes(status)).length ?? 0
  useSyncWatch(!isCurrent || waiting > 0)
  if (!isCurrent) return t(`standing.${what}.sending`)
  if (count === 0) return t(`standing.${what}.nowhere`)
  return waiting === 0 ? t(`standing.${what}.told`, { count }) : t(`standing.${what}.partly`, { count, done: count - waiting })
}
