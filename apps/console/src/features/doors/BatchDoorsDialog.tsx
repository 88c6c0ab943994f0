/** One operation at many doors, with the outcome of each; doors that failed can be tried again. */
import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { Alert, Button, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DOORS_AT_ONCE, doorCalls, type DoorOutcome } from '@gatehouse/contract/doors/calls'
import { doorOperation } from '@gatehouse/contract/enums/devices'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { useDoorWords, useOpeningQuestion } from './doorWords.ts'
import styles from './doors.module.css'

type Operation = (typeof doorOperation.values)[number]

export default function BatchDoorsDialog({ open, close, ids }: { open: boolean; close: () => void; ids: string[] }) {
  const { t } = useTranslation('doors')
  const optionsOf = useEnumOptions()
  const ask = useOpeningQuestion()
  const [operation, setOperation] = useState<Operation>(doorOperation.open)
  const [results, setResults] = useState<readonly DoorOutcome[]>([])
  const failed = results.filter(({ isSuccess }) => !isSuccess).map(({ deviceId }) => deviceId)
  const control = useWrite(doorCalls.controlMany, {
    // New results replace the former ones of the same doors.
    onDone: ({ results: fresh }) =>
      setResults((before) => [...fresh, ...before.filter(({ deviceId }) => !fresh.some((one) => one.deviceId === deviceId))]),
  })
  const run = (deviceIds: string[]): void =>
    ask(operation, { names: t('batch.doors', { count: deviceIds.length }) }, () =>
      control.run({ body: { deviceIds, operateType: operation } }),
    )
  const tooMany = ids.length > DOORS_AT_ONCE
  const summary = results.length > 0 ? t('batch.summary', { done: results.length - failed.length, count: failed.length }) : t('batch.words')

  return (
    <Modal
      open={open}
      centered
      width={680}
      title={t('batch.title', { count: ids.length })}
      destroyOnHidden
      mask={{ closable: false }}
      onCancel={close}
      footer={
        <>
          <Button onClick={close}>{t('close')}</Button>
          {failed.length > 0 && (
            <Button loading={control.pending} onClick={() => run(failed)}>
              {t('batch.again', { count: failed.length })}
            </Button>
          )}
          <Button type="primary" loading={control.pending} disabled={tooMany} onClick={() => run(ids)}>
            {t('batch.run')}
          </Button>
        </>
      }
    >
      <div className={styles.batch}>
        <Segmented<Operation>
          aria-label={t('operation')}
          value={operation}
          disabled={control.pending}
          onChange={setOperation}
          options={optionsOf(doorOperation) as { value: Operation; label: string }[]}
        />
        {tooMany && <Alert type="warning" showIcon title={t('batch.tooMany', { count: DOORS_AT_ONCE })} />}
        <p className={styles.said} role="status">
          {control.pending ? t('batch.asking') : summary}
        </p>
        {results.length > 0 && (
          <ul className={styles.outcomes} aria-label={t('batch.results')}>
            {results.map((outcome) => (
              <Outcome key={outcome.deviceId} outcome={outcome} />
            ))}
          </ul>
        )}
      </div>
    </Modal>
  )
}

function Outcome({ outcome: { deviceName, isSuccess, errorType, code } }: { outcome: DoorOutcome }) {
  const { t } = useTranslation('doors')
  const { t: errors } = useTranslation('errors')
  const why = useDoorWords()
  const failure = code === null ? why(errorType) : errors(`business.${code}`)
  return (
    <li data-done={isSuccess}>
      {isSuccess ? <CheckCircleFilled /> : <CloseCircleFilled />}
      <b title={deviceName}>{deviceName}</b>
      <span>{isSuccess ? t('batch.done') : failure}</span>
    </li>
  )
}
