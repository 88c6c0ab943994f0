/** What can be done about a record at once: its person blocked, its door opened, its link passed on. */
import { CheckOutlined, LinkOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { copyText } from '../../kit/copyText.ts'
import { useMayCall } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { DoorOf } from '../devices/index.ts'
import { PersonStanding } from './PersonStanding.tsx'
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
      {/* It is shown where it has to be copied by hand. */}
      <span ref={link} className={state === 'byHand' ? styles.link : 'unseen'} aria-hidden={state !== 'byHand'}>
        {address}
      </span>
    </>
  )
}
