/** One alarm over its list: pictures, facts, the steps of its handling, and its decision by button or key. */
import { CheckOutlined } from '@ant-design/icons'
import { Button, Input, Modal } from 'antd'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DEALING_RECORD_MAX } from '@gatehouse/contract/alarms/handling'
import { alarmLevel } from '@gatehouse/contract/enums/alarms'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { isKey, isTyping, KEYS } from '../../../kit/keys.ts'
import { useNeighbours } from '../../../kit/list/useNeighbours.tsx'
import { useOnce } from '../../../kit/form/useOnce.ts'
import { showDealtAlarm } from '../../../shared/dealtAlarm.ts'
import type { AlarmHandling, AlarmKind, AlarmRow } from './alarmKind.ts'
import styles from './alarms.module.css'

const WIDTH = 780
const [PREVIOUS, NEXT] = KEYS.drawer.step
const DECISION_KEYS = [KEYS.alarms.first, KEYS.alarms.second, KEYS.alarms.third]

interface AlarmDialogProps<Row extends AlarmRow> {
  kind: AlarmKind<Row>
  /** Absent: closed. */
  row: Row | undefined
  /** The rows of the list that the alarm is in. */
  rows: readonly Row[]
  show: (row: Row) => void
  close: () => void
  /** Called once the dialog is gone. */
  closed: () => void
}

export function AlarmDialog<Row extends AlarmRow>({ kind, row, rows, show, close, closed }: AlarmDialogProps<Row>) {
  const { t } = useTranslation('alarms')
  // The closing dialog keeps its content.
  const [last, setLast] = useState(row)
  if (row !== undefined && row !== last) setLast(row)
  const inside = useRef<HTMLDivElement>(null)
  const { step, arrows } = useNeighbours(rows, row?.id, show, { previous: t('previous'), next: t('next') })
  const { record, setRecord, begin, decide, canBegin, decisions, isBusy } = useHandling(kind.handling, row, close)

  const press = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event)) return
    // What is above the dialog has keys of its own.
    if (target instanceof Element && target.closest('[data-bubble], [role="menu"]') !== null) return
    const dialog = target instanceof Element ? target.closest('[role="dialog"]') : null
    if (dialog !== null && !dialog.contains(inside.current)) return
    const decision = decisions[DECISION_KEYS.findIndex((keys) => isKey(keys, key))]
    if (key === PREVIOUS || key === NEXT) step(key === NEXT ? 1 : -1)
    else if (decision !== undefined) decide(decision.name)
    else if (key.toLowerCase() === 'd' && canBegin) begin()
    else return
    event.preventDefault()
  })
  const isOpen = row !== undefined
  const shownId = row?.id
  useEffect(() => {
    showDealtAlarm(shownId)
    return () => showDealtAlarm(undefined)
  }, [shownId])
  useEffect(() => {
    if (!isOpen) return
    const listener = (event: KeyboardEvent): void => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [isOpen])

  return (
    <Modal
      open={isOpen}
      width={WIDTH}
      centered
      destroyOnHidden
      title={
        last && (
          <div className={styles.title}>
            <span>{kind.titleOf(last)}</span>
            <EnumTag of={alarmLevel} value={last.level} />
            <EnumTag of={kind.statuses} value={last.status} />
            <span className={styles.arrows}>{arrows}</span>
          </div>
        )
      }
      styles={{ body: { maxHeight: 'calc(100vh - 260px)', overflow: 'hidden auto', margin: '0 -24px', padding: '0 24px' } }}
      onCancel={close}
      afterOpenChange={(shown) => (shown ? inside.current?.focus({ preventScroll: true }) : closed())}
      footer={
        last && (canBegin || decisions.length > 0) ? (
          <div className={styles.handling}>
            {decisions.length > 0 && <RecordField value={record} set={setRecord} />}
            <div className={styles.decisions}>
              {canBegin && (
                <Button disabled={isBusy} onClick={begin}>
                  {t('begin')} <kbd>D</kbd>
                </Button>
              )}
              {decisions.map(({ name, label, isUsual }, place) => (
                <Button
                  key={name}
                  type={isUsual ? 'primary' : 'default'}
                  {...(isUsual && { icon: <CheckOutlined /> })}
                  disabled={isBusy}
                  onClick={() => decide(name)}
                >
                  {label} <kbd>{place + 1}</kbd>
                </Button>
              ))}
            </div>
          </div>
        ) : null
      }
    >
      <div ref={inside} tabIndex={-1} className={styles.inside}>
        {last && kind.detail(last)}
      </div>
    </Modal>
  )
}

function RecordField({ value, set }: { value: string; set: (value: string) => void }) {
  const { t } = useTranslation('alarms')
  const id = useId()
  return (
    <div className={styles.record}>
      <label htmlFor={id}>{t('dealingRecord')}</label>
      <Input.TextArea
        id={id}
        value={value}
        maxLength={DEALING_RECORD_MAX}
        placeholder={t('recordHint')}
        autoSize={{ minRows: 1, maxRows: 4 }}
        onChange={({ target }) => set(target.value)}
      />
    </div>
  )
}

/** Return what can be done with the alarm that is shown, and what was written about it; the text is that of one alarm. */
function useHandling<Row extends AlarmRow>(handling: AlarmHandling<Row> | undefined, row: Row | undefined, close: () => void) {
  const [written, setWritten] = useState<{ id: string; text: string }>({ id: '', text: '' })
  const [isBusy, setBusy] = useState(false)
  const once = useOnce()
  const record = row !== undefined && written.id === row.id ? written.text : ''
  const run = (act: () => Promise<unknown>): void =>
    once(async () => {
      setBusy(true)
      await act().finally(() => setBusy(false))
    })
  return {
    record,
    setRecord: (text: string): void => setWritten({ id: row?.id ?? '', text }),
    isBusy,
    canBegin: row !== undefined && handling?.canBegin?.(row) === true,
    decisions: row !== undefined && handling?.canDecide(row) ? handling.decisions : [],
    begin: (): void => {
      if (row !== undefined && handling?.begin) run(() => handling.begin!(row))
    },
    decide: (decision: string): void => {
      if (row !== undefined && handling) run(() => handling.decide(row, decision, record.trim()).then(close))
    },
  }
}
