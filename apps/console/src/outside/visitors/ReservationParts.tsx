/** Sections of the form of a visit. */
import { useTranslation } from 'react-i18next'
import { PERSON_NAME_MAX, PERSON_NUMBER_MAX, PHONE_MAX, USER_TEXT_MAX } from '@gatehouse/contract/limits'
import { PEERS_MAX } from '@gatehouse/contract/visitors/fields'
import type { Draft } from './draft.ts'
import { Field, Times, Wrong } from './Parts.tsx'
import type { OpenedLink } from './reservation.ts'

interface PartProps {
  draft: Draft
  fill: (part: Partial<Draft>) => void
  wordsAt: (field: string) => string | undefined
}

export function VisitorPart({ draft, fill, wordsAt, isInvited }: PartProps & { isInvited: boolean }) {
  const { t } = useTranslation('visit')
  return (
    <section>
      <h2>{t('you')}</h2>
      {!isInvited && (
        <>
          <Field
            label={t('name')}
            required
            autoComplete="name"
            maxLength={PERSON_NAME_MAX}
            wrong={wordsAt('name')}
            value={draft.name}
            onChange={({ target }) => fill({ name: target.value })}
          />
          <Field
            label={t('phone')}
            required
            autoComplete="tel"
            inputMode="tel"
            maxLength={PHONE_MAX}
            wrong={wordsAt('phone')}
            value={draft.phone}
            onChange={({ target }) => fill({ phone: target.value.trim() })}
          />
        </>
      )}
      <Field
        label={t('email')}
        hint={t('emailHint')}
        autoComplete="email"
        inputMode="email"
        maxLength={USER_TEXT_MAX}
        wrong={wordsAt('email')}
        value={draft.email}
        onChange={({ target }) => fill({ email: target.value })}
      />
    </section>
  )
}

/** The host is typed: a page without a session offers no names of staff. */
export function HostPart({ draft, fill, wordsAt, isRequired }: PartProps & { isRequired: boolean }) {
  const { t } = useTranslation('visit')
  return (
    <section>
      <h2>{t('host')}</h2>
      <Field
        label={t('hostName')}
        required={isRequired}
        autoComplete="off"
        maxLength={PERSON_NAME_MAX}
        wrong={wordsAt('host')}
        value={draft.hostName}
        onChange={({ target }) => fill({ hostName: target.value })}
      />
      <Field
        label={t('hostNumber')}
        hint={t('hostHint')}
        autoComplete="off"
        maxLength={PERSON_NUMBER_MAX}
        value={draft.hostNumber}
        onChange={({ target }) => fill({ hostNumber: target.value })}
      />
    </section>
  )
}

export function VisitPart({ draft, fill, wordsAt, link }: PartProps & { link: OpenedLink }) {
  const { t } = useTranslation('visit')
  if (link.invitation !== null)
    return (
      <section>
        <h2>{t('visit')}</h2>
        <dl>
          {link.invitation.hostName !== '' && (
            <>
              <dt>{t('host')}</dt>
              <dd>{link.invitation.hostName}</dd>
            </>
          )}
          <Times zone={link.zone} {...link.invitation} />
        </dl>
      </section>
    )
  const wrong = wordsAt('time')
  return (
    <section>
      <h2>{t('visit')}</h2>
      <fieldset className="choices" {...(wordsAt('reason') !== undefined && { 'data-wrong': true })}>
        <legend>{t('reason')} *</legend>
        <div>
          {link.visitReasons.map((reason) => (
            <label key={reason}>
              <input type="radio" name="reason" checked={draft.reason === reason} onChange={() => fill({ reason })} />
              <span>{t(`reasons.${reason}`)}</span>
            </label>
          ))}
        </div>
        <Wrong words={wordsAt('reason')} />
      </fieldset>
      <Field
        label={t('start')}
        type="datetime-local"
        required
        wrong={wrong}
        value={draft.start}
        onChange={({ target }) => fill({ start: target.value })}
      />
      <Field
        label={t('end')}
        type="datetime-local"
        required
        hint={t('zone', { zone: link.zone })}
        value={draft.end}
        onChange={({ target }) => fill({ end: target.value })}
      />
    </section>
  )
}

export function Companions({ draft, fill, wordsAt }: PartProps) {
  const { t } = useTranslation('visit')
  const { companions } = draft
  const wrong = wordsAt('peers')
  const change = (place: number, part: Partial<Draft['companions'][number]>): void =>
    fill({ companions: companions.map((one, at) => (at === place ? { ...one, ...part } : one)) })
  return (
    <section {...(wrong !== undefined && { 'data-wrong': true })}>
      <h2>{t('companions')}</h2>
      {companions.map((one, at) => (
        <div key={at} className="companion" role="group" aria-label={t('companion', { nth: at + 1 })}>
          <h3>{t('companion', { nth: at + 1 })}</h3>
          <Field
            label={t('name')}
            required
            autoComplete="off"
            maxLength={PERSON_NAME_MAX}
            value={one.name}
            onChange={({ target }) => change(at, { name: target.value })}
          />
          <Field
            label={t('phone')}
            required
            autoComplete="off"
            inputMode="tel"
            maxLength={PHONE_MAX}
            value={one.phone}
            onChange={({ target }) => change(at, { phone: target.value.trim() })}
          />
          <button type="button" onClick={() => fill({ companions: companions.toSpliced(at, 1) })}>
            {t('removeCompanion', { nth: at + 1 })}
          </button>
        </div>
      ))}
      <Wrong words={wrong} />
      {companions.length < PEERS_MAX && (
        <button type="button" onClick={() => fill({ companions: [...companions, { name: '', phone: '' }] })}>
          {t('addCompanion')}
        </button>
      )}
    </section>
  )
}
