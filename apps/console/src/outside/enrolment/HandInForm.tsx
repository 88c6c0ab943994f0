/** The photograph first, then the person, then the consent. Input is kept whatever is refused. */
import { useEffect, useId, useRef, useState, type FormEvent, type InputHTMLAttributes } from 'react'
import { useTranslation } from 'react-i18next'
import { PERSON_NAME_MAX, PERSON_NUMBER_MAX, PHONE_MAX } from '@gatehouse/contract/limits'
import { isEncrypted } from '../../api/encrypted.ts'
import { PhotoPart } from './PhotoPart.tsx'
import { wordsOf } from './texts.ts'
import type { Filled, OpenedLink, useHandIn } from './useHandIn.ts'

const GENDERS = [
  { value: 1, key: 'male' },
  { value: 2, key: 'female' },
  { value: 3, key: 'unsaid' },
] as const
const NOTHING: Filled = { name: '', workNumber: '', phone: '', gender: 3, consent: false }
type Wrong = Partial<Record<'photo' | 'name' | 'workNumber' | 'phone' | 'consent', string>>

export function HandInForm({ link, handIn }: { link: OpenedLink; handIn: ReturnType<typeof useHandIn> }) {
  const { t } = useTranslation('enrolment')
  const form = useRef<HTMLFormElement>(null)
  const [photo, setPhoto] = useState<Blob>()
  /** The photograph chosen last, which a slow phone may still be scaling down: sending waits for it. */
  const chosen = useRef<Promise<Blob>>(undefined)
  const [second, setSecond] = useState<Blob>()
  const chosenSecond = useRef<Promise<Blob>>(undefined)
  const [preparing, setPreparing] = useState(false)
  const [waiting, setWaiting] = useState(false)
  const [filled, setFilled] = useState(NOTHING)
  const [missing, setMissing] = useState<Wrong>({})
  const { trouble, sending } = handIn
  const anybody = link.personName === ''
  function fill(part: Partial<Filled>): void {
    setFilled((before) => ({ ...before, ...part }))
    // Either the number or the phone is enough.
    const mended = Object.keys(part).map((key) => (key === 'phone' ? 'workNumber' : key))
    setMissing((before) => Object.fromEntries(Object.entries(before).filter(([key]) => !mended.includes(key))))
  }

  /** The server's refusals of fields, in this page's words; any other refusal concerns the photograph or the connection. */
  const refused: Wrong = {}
  for (const { path } of trouble?.refusal.fields ?? [])
    if (path === 'name' || path === 'workNumber' || path === 'phone' || path === 'consent') refused[path] = t(`phone.wrong.${path}`)
  const isField = Object.keys(refused).length > 0
  const wrong: Wrong = {
    ...missing,
    ...refused,
    ...(trouble && !trouble.ofSecond && !isField && trouble.boxes.length === 0 && { photo: wordsOf(trouble.refusal) }),
  }

  function lacking(picture: Blob | undefined): Wrong {
    return {
      ...(!picture && { photo: t('phone.wrong.photo') }),
      ...(anybody && filled.name.trim() === '' && { name: t('phone.wrong.nameMissing') }),
      ...(anybody && filled.workNumber.trim() === '' && filled.phone.trim() === '' && { workNumber: t('phone.wrong.workNumber') }),
      ...(link.consentRequired && !filled.consent && { consent: t('phone.wrong.consent') }),
    }
  }
  async function take(next: Promise<Blob>): Promise<void> {
    handIn.forget()
    setMissing(({ photo: _, ...rest }) => rest)
    chosen.current = next
    setPreparing(true)
    const taken = await next
    // Another one was chosen meanwhile.
    if (chosen.current !== next) return
    setPhoto(taken)
    setPreparing(false)
  }
  async function takeSecond(next: Promise<Blob> | undefined): Promise<void> {
    handIn.forget()
    chosenSecond.current = next
    const taken = await next
    if (chosenSecond.current === next) setSecond(taken)
  }
  async function send(faceIndex?: number): Promise<void> {
    setWaiting(true)
    const [picture, other] = [await chosen.current, await chosenSecond.current]
    setWaiting(false)
    const found = lacking(picture)
    setMissing(found)
    if (picture && Object.keys(found).length === 0)
      await handIn.send(link, picture, filled, { faceIndex, second: link.photosWanted > 1 ? other : undefined })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    void send()
  }
  // Scroll to the first wrong field.
  const first = [...Object.keys(wrong), trouble?.ofSecond === true && 'second'].join()
  useEffect(() => {
    const at = form.current?.querySelector('[data-wrong]')
    if (first === '' || !at) return
    at.scrollIntoView({ block: 'center' })
    at.querySelector<HTMLElement>('input:not([type="file"])')?.focus({ preventScroll: true })
  }, [first, trouble])

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <h1>{anybody ? t('phone.title') : t('phone.hello', { name: link.personName })}</h1>
      <p className="lead">{t('phone.lead', { park: link.parkName })}</p>
      {!isEncrypted() && <p className="caution">{t('phone.notEncrypted')}</p>}
      <PhotoPart
        photo={photo}
        wrong={wrong.photo}
        boxes={trouble?.boxes ?? []}
        checking={sending || preparing}
        take={(next) => void take(next)}
        choose={(index) => void send(index)}
        second={
          link.photosWanted > 1
            ? {
                photo: second,
                wrong: trouble?.ofSecond === true ? wordsOf(trouble.refusal) : undefined,
                take: (next) => void takeSecond(next),
                leaveOut: () => void takeSecond(undefined),
              }
            : undefined
        }
      />
      {anybody && <WhoPart filled={filled} wrong={wrong} fill={fill} />}
      <ConsentPart link={link} given={filled.consent} wrong={wrong.consent} give={(consent) => fill({ consent })} />
      <footer>
        <button type="submit" className="main" disabled={sending || waiting}>
          {sending || waiting ? t('phone.sending') : t('phone.send')}
        </button>
      </footer>
    </form>
  )
}

interface WhoPartProps {
  filled: Filled
  wrong: Wrong
  fill: (part: Partial<Filled>) => void
}

/** The fields about the person, where the link is not for one person. */
function WhoPart({ filled, wrong, fill }: WhoPartProps) {
  const { t } = useTranslation('enrolment')
  const field = (name: 'name' | 'workNumber' | 'phone', more: InputHTMLAttributes<HTMLInputElement>) => (
    <Field
      label={t(`phone.${name}`)}
      wrong={wrong[name]}
      value={filled[name]}
      onChange={({ target }) => fill({ [name]: target.value })}
      {...more}
    />
  )
  return (
    <section>
      <h2>{t('phone.who')}</h2>
      {field('name', { autoComplete: 'name', maxLength: PERSON_NAME_MAX, required: true })}
      {field('workNumber', { autoComplete: 'off', maxLength: PERSON_NUMBER_MAX })}
      {field('phone', { autoComplete: 'tel', inputMode: 'tel', maxLength: PHONE_MAX })}
      <p className="hint">{t('phone.numberHint')}</p>
      <fieldset>
        <legend>{t('phone.gender')}</legend>
        <div>
          {GENDERS.map(({ value, key }) => (
            <label key={value}>
              <input type="radio" name="gender" checked={filled.gender === value} onChange={() => fill({ gender: value })} />
              <span>{t(`phone.genders.${key}`)}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </section>
  )
}

interface ConsentPartProps {
  link: OpenedLink
  given: boolean
  wrong: string | undefined
  give: (consent: boolean) => void
}

function ConsentPart({ link, given, wrong, give }: ConsentPartProps) {
  const { t } = useTranslation('enrolment')
  return (
    <section {...(wrong && { 'data-wrong': true })}>
      <h2>{t('phone.consent')}</h2>
      <p className="consent">{link.consentText || t('phone.consentText', { park: link.parkName })}</p>
      <label className="tick">
        <input type="checkbox" checked={given} aria-invalid={wrong !== undefined} onChange={({ target }) => give(target.checked)} />
        <span>{link.consentRequired ? t('phone.agreeRequired') : t('phone.agree')}</span>
      </label>
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
    </section>
  )
}

function Field({ label, wrong, ...input }: { label: string; wrong: string | undefined } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <div className="field" {...(wrong && { 'data-wrong': true })}>
      <label htmlFor={id}>
        {label}
        {input.required && <i aria-hidden="true"> *</i>}
      </label>
      <input id={id} aria-invalid={wrong !== undefined} {...(wrong && { 'aria-describedby': `${id}-wrong` })} {...input} />
      {wrong && (
        <p id={`${id}-wrong`} className="wrong" role="alert">
          {wrong}
        </p>
      )}
    </div>
  )
}
