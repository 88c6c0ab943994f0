/** Parts that the pages of visitors and hosts have in common. */
import { useEffect, useId, useRef, type InputHTMLAttributes, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppointmentState } from '@gatehouse/contract/visitors/appointments'
import { shownTime } from './zone.ts'

/** An outcome and what happens next; announced at once by screen readers. */
export function Outcome({ mark, title, words, children }: { mark: string; title: string; words: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="said" data-mark={mark}>
      <span aria-hidden="true">{mark}</span>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{words}</p>
      {children}
    </section>
  )
}

export function Wrong({ id, words }: { id?: string; words: string | undefined }) {
  return words === undefined ? null : (
    <p id={id} className="wrong" role="alert">
      {words}
    </p>
  )
}

export function Field({
  label,
  wrong,
  hint,
  ...input
}: { label: string; wrong?: string | undefined; hint?: string } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <div className="field" {...(wrong !== undefined && { 'data-wrong': true })}>
      <label htmlFor={id}>
        {label}
        {input.required && <i aria-hidden="true"> *</i>}
      </label>
      <input id={id} aria-invalid={wrong !== undefined} {...(wrong !== undefined && { 'aria-describedby': `${id}-wrong` })} {...input} />
      {hint !== undefined && <p className="beside">{hint}</p>}
      <Wrong id={`${id}-wrong`} words={wrong} />
    </div>
  )
}

const TONES: Record<AppointmentState, string> = {
  waiting: 'wait',
  accepted: 'ok',
  arrived: 'ok',
  over: 'off',
  refused: 'bad',
  cancelled: 'off',
  expired: 'off',
}
const MARKS: Record<string, string> = { wait: '…', ok: '✓', off: '–', bad: '!' }

/** A state in words and colour. */
export function State({ state }: { state: AppointmentState }) {
  const { t } = useTranslation('visit')
  return (
    <p className="state" data-tone={TONES[state]} role="status">
      <span aria-hidden="true">{MARKS[TONES[state]]}</span>
      <b>{t(`state.${state}`)}</b>
    </p>
  )
}

/** When a visit is, on a clock of the park. */
export function Times({ zone, visitTime, visitEndTime }: { zone: string; visitTime: number; visitEndTime: number }) {
  const { t, i18n } = useTranslation('visit')
  return (
    <>
      <dt>{t('start')}</dt>
      <dd>{shownTime(i18n.language, zone, visitTime)}</dd>
      <dt>{t('end')}</dt>
      <dd>{shownTime(i18n.language, zone, visitEndTime)}</dd>
    </>
  )
}
