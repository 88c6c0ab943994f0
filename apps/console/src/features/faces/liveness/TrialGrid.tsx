/** Passages with the score of a trial, to be labelled by a user: G for a living face, S for a picture held up. */
import { Button, Pagination, Segmented, Select } from 'antd'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import type { LivenessMode } from '@gatehouse/contract/faces/policy'
import { Bars } from '../../../kit/detail/Bars.tsx'
import { ListEmpty, ListError } from '../../../kit/list/ListStates.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { useKeyedList } from '../useKeyedList.ts'
import { livenessInWords } from '../rates.ts'
import styles from '../faces.module.css'
import own from './liveness.module.css'

/** Without a label in the address, unlabelled passages are shown. */
const trialList = {
  ...clinicCalls.livenessTrial,
  query: clinicCalls.livenessTrial.query.extend({ label: clinicCalls.livenessTrial.query.shape.label.default('none') }),
}
type Label = 'genuine' | 'spoof'
const KEYS: Record<string, Label> = { g: 'genuine', s: 'spoof' }
const BELOW = [0.2, 0.4, 0.6, 0.8]
const FACE = 132

export function TrialGrid({ mode }: { mode: LivenessMode }) {
  const { t } = useTranslation('faces')
  const list = useKeyedList(trialList, 'recordId', { name: 'livenessTrial' })
  const add = useWrite(faceLivenessCalls.addRecord)

  /** Label a passage and move on to the next one. */
  function say(card: Element | null | undefined, recordId: string, label: Label): void {
    const next = card?.nextElementSibling ?? card?.previousElementSibling
    next?.querySelector<HTMLElement>('button')?.focus()
    add.run({ body: { recordId, label } })
  }
  function onKey(event: KeyboardEvent): void {
    const card = (event.target as Element).closest<HTMLElement>('li[data-record]')
    const label = KEYS[event.key.toLowerCase()]
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return
    if (label) return say(card, card.dataset['record'] ?? '', label)
    const to = event.key === 'ArrowRight' ? card.nextElementSibling : event.key === 'ArrowLeft' ? card.previousElementSibling : undefined
    to?.querySelector<HTMLElement>('button')?.focus()
  }

  const filters = (
    <div className={own.trialFilters}>
      <Segmented
        aria-label={t('trial.show')}
        value={list.query.label ?? 'none'}
        onChange={(label) => list.setQuery({ label })}
        options={(['none', 'genuine', 'spoof'] as const).map((value) => ({ value, label: t(`trial.labels.${value}`) }))}
      />
      <Select
        aria-label={t('trial.below')}
        allowClear
        placeholder={t('trial.below')}
        value={list.query.below}
        onChange={(below: number | undefined) => list.setQuery({ below })}
        options={BELOW.map((value) => ({ value, label: t('trial.belowScore', { score: livenessInWords(value) }) }))}
        style={{ width: 168 }}
      />
      {list.rows.length > 0 && (
        <p>
          {t('trial.keys')} <kbd>G</kbd> {t('trial.genuine')} <kbd>S</kbd> {t('trial.spoof')}
        </p>
      )}
    </div>
  )
  if (list.error && list.rows.length === 0) return <ListError error={list.error} retry={list.retry} />
  return (
    <>
      <p className={styles.words}>{t('trial.words')}</p>
      {filters}
      {list.pending && <Bars count={4} />}
      {!list.pending && list.rows.length === 0 && (
        <ListEmpty
          filtered={list.query.below !== undefined}
          clear={() => list.setQuery({ below: undefined })}
          title={t(list.query.label !== 'none' ? 'trial.noneLabelled' : mode === 'off' ? 'trial.noneOff' : 'trial.none')}
        />
      )}
      <div role="presentation" onKeyDown={onKey}>
        <ul className={own.cards}>
          {list.rows.map(({ recordId, time, deviceName, personName, score, captureThumbnail, label }) => {
            const name = personName || t('trial.stranger')
            return (
              <li key={recordId} data-record={recordId}>
                <Portrait name={name} url={captureThumbnail} size={FACE} />
                <b className={own.score}>{livenessInWords(score)}</b>
                <span title={name}>{name}</span>
                <small title={deviceName}>
                  <RelativeTime at={time} /> · {deviceName}
                </small>
                <div>
                  {(['genuine', 'spoof'] as const).map((value) => (
                    <Button
                      key={value}
                      size="small"
                      aria-pressed={label === value}
                      type={label === value ? 'primary' : 'default'}
                      aria-label={t('trial.say', { name, label: t(`trial.${value}`) })}
                      onClick={({ currentTarget }) => say(currentTarget.closest('li'), recordId, value)}
                    >
                      {t(`trial.${value}`)}
                    </Button>
                  ))}
                </div>
              </li>
            )
          })}
        </ul>
      </div>
      {list.tableProps.pagination && (
        <Pagination {...list.tableProps.pagination} size="small" align="end" onChange={(page, size) => list.setQuery({ page, size })} />
      )}
    </>
  )
}
