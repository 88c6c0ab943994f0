/** The form of a visit: photo, visitor, host, times, own fields, companions, consent. What is typed is kept whatever happens. */
import { lazy, Suspense, useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { appointmentCalls } from '@gatehouse/contract/visitors/appointments'
import { isEncrypted } from '../../api/encrypted.ts'
import { exchange } from '../../api/http.ts'
import { Refusal } from '../../api/refusal.ts'
import { PhotoPart } from '../enrolment/PhotoPart.tsx'
import { wordsOf } from '../enrolment/texts.ts'
import { dropDraft, readDraft, storeDraft, type Draft } from './draft.ts'
import { OwnField } from './OwnFields.tsx'
import { Wrong as WrongWords } from './Parts.tsx'
import { Companions, HostPart, VisitorPart, VisitPart } from './ReservationParts.tsx'
import { fieldOf, freshDraft, missingOf, sentOf, type OpenedLink, type Wrong } from './reservation.ts'
import { usePhoto } from './usePhoto.ts'
import { isEnded } from './useLink.ts'

/** Loaded where the park has documents alone: without them the page shows sooner. */
const SigningPart = lazy(() => import('./SigningPart.tsx'))

/** Milliseconds after which a form that reached no server is sent again by itself. */
const PAUSES = [1000, 3000]
const wait = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** Send a form, again where no answer came: its key makes one visit of it however often it arrives. */
async function sendForm(token: string, body: ReturnType<typeof sentOf>) {
  for (let tries = 0; ; tries++)
    try {
      return await exchange(appointmentCalls.submit, { linkToken: token, body })
    } catch (error) {
      const pause = PAUSES[tries]
      if (!(error instanceof Refusal) || error.status !== 0 || pause === undefined) throw error
      await wait(pause)
    }
}

interface ReservationFormProps {
  token: string
  link: OpenedLink
  /** The link has ended meanwhile. */
  end: () => void
  /** Read the link once more. */
  again: () => void
}

/** Return the fields that the server refused, and of them those whose text has changed meanwhile. */
function refusedIn(link: OpenedLink, { fields }: Refusal) {
  const own = new Set(link.fields.map(({ id }) => id))
  const changed = fields.filter(({ path, rule }) => rule === 'textChanged' || path === 'documents')
  const keyOf = (field: string): string => (own.has(field) ? 'required' : field)
  const refused: Wrong = {
    ...Object.fromEntries(fields.map(({ path }) => [fieldOf(link, path), keyOf(fieldOf(link, path))])),
    ...Object.fromEntries(changed.map(({ path }) => [fieldOf(link, path), 'textChanged'])),
  }
  return { changed, fields: refused }
}

/** Lead to the first field that is wrong, at each try. */
function useFirstWrong(form: RefObject<HTMLFormElement | null>, tries: number): void {
  useEffect(() => {
    const at = form.current?.querySelector('[data-wrong]')
    if (tries === 0 || !at) return
    at.scrollIntoView({ block: 'center' })
    at.querySelector<HTMLElement>('input:not([type="file"]), select')?.focus({ preventScroll: true })
  }, [form, tries])
}

export function ReservationForm({ token, link, end, again }: ReservationFormProps) {
  const { t } = useTranslation('visit')
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<Draft>(() => readDraft(token, freshDraft(link, Date.now())))
  /** Fields that the server refused, until they are filled in anew. */
  const [refused, setRefused] = useState<Wrong>({})
  /** Times that the form was handed in and came back: each leads to the first field that is wrong. */
  const [tries, setTries] = useState(0)
  const [refusal, setRefusal] = useState<Refusal>()
  const [sending, setSending] = useState(false)
  const wrong: Wrong = { ...(tries > 0 && missingOf(link, draft, Date.now())), ...refused }
  function fill(part: Partial<Draft>): void {
    setDraft((before) => ({ ...before, ...part }))
    const filled = new Set([...Object.keys(part), ...Object.keys(part.accepted ?? {})])
    setRefused((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !filled.has(field))))
  }
  const photo = usePhoto(token, (checked) => fill({ photo: checked }))
  useEffect(() => storeDraft(token, draft), [token, draft])

  function showRefusal(error: Refusal): void {
    if (isEnded(error)) return end()
    setRefusal(error)
    const { changed, fields } = refusedIn(link, error)
    setTries((before) => before + 1)
    setRefused(fields)
    if (changed.length === 0) return
    // Nobody has agreed to the new text.
    const former = new Set(changed.map(({ path }) => fieldOf(link, path)))
    setDraft((before) => ({
      ...before,
      accepted: Object.fromEntries(Object.entries(before.accepted).filter(([id]) => !former.has(id))),
      ...(former.has('consent') && { consent: false }),
    }))
    again()
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (photo.checking) return
    setRefused({})
    setRefusal(undefined)
    if (Object.keys(missingOf(link, draft, Date.now())).length > 0) return setTries((before) => before + 1)
    setSending(true)
    try {
      const made = await sendForm(token, sentOf(link, draft))
      dropDraft(token)
      // The page of the visit has an address of its own, which can be kept and opened again.
      location.hash = `visit.${made.token}`
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      showRefusal(error)
    } finally {
      setSending(false)
    }
  }
  useFirstWrong(form, tries)

  /** Return the words about a field; those of a server's refusal that this page has no words for are general. */
  const wordsAt = (field: string): string | undefined => {
    const key = wrong[field]
    return key === undefined ? undefined : t(`wrong.${key}`, { defaultValue: t('wrong.other') })
  }
  const parts = { draft, fill, wordsAt }
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <h1>{link.invitation === null ? t('title') : t('hello', { name: link.invitation.name })}</h1>
      <p className="lead">{t(link.invitation === null ? 'lead' : 'invited', { park: link.companyName || link.parkName })}</p>
      {!isEncrypted() && <p className="caution">{t('notEncrypted')}</p>}
      {link.certificateRequired && <p className="caution">{t('certificate')}</p>}
      <VisitorPart {...parts} isInvited={link.invitation !== null} />
      {link.invitation === null && <HostPart {...parts} isRequired={link.hostRequired} />}
      <VisitPart {...parts} link={link} />
      {link.fields.length > 0 && (
        <section>
          <h2>{t('more')}</h2>
          {link.fields.map((field) => (
            <OwnField
              key={field.id}
              token={token}
              field={field}
              value={draft.own[field.id] ?? ''}
              wrong={wordsAt(field.id)}
              change={(value) => setDraft((before) => ({ ...before, own: { ...before.own, [field.id]: value } }))}
            />
          ))}
        </section>
      )}
      <Companions {...parts} />
      <p className="hint">{t('photoOptional')}</p>
      {photo.photo === undefined && draft.photo !== null && (
        <p className="state" data-tone="ok">
          {t('pictureThere')}
        </p>
      )}
      <PhotoPart
        photo={photo.photo}
        wrong={photo.refusal && photo.boxes.length === 0 ? wordsOf(photo.refusal) : undefined}
        boxes={photo.boxes}
        checking={photo.checking}
        take={(taking) => void photo.take(taking)}
        choose={(index) => void photo.choose(index)}
      />
      {draft.photo !== null && <ConsentPart {...parts} link={link} />}
      {link.documents.length > 0 && (
        <Suspense fallback={<p className="hint">{t('opening')}</p>}>
          <SigningPart {...parts} link={link} />
        </Suspense>
      )}
      {refusal && <WrongWords words={Object.keys(wrong).length > 0 ? t('wrong.other') : wordsOf(refusal)} />}
      <p className="hint">{t('draft')}</p>
      <footer>
        <button type="submit" className="main" disabled={sending || photo.checking}>
          {photo.checking ? t('waitingForPhoto') : sending ? t('sending') : t(link.invitation === null ? 'send' : 'sendInvited')}
        </button>
      </footer>
    </form>
  )
}

interface ConsentPartProps {
  link: OpenedLink
  draft: Draft
  fill: (part: Partial<Draft>) => void
  wordsAt: (field: string) => string | undefined
}

function ConsentPart({ link, draft, fill, wordsAt }: ConsentPartProps) {
  const { t } = useTranslation('visit')
  const wrong = wordsAt('consent')
  return (
    <section {...(wrong !== undefined && { 'data-wrong': true })}>
      <h2>{t('consent')}</h2>
      <p className="consent" lang={link.consentLanguage}>
        {link.consentText}
      </p>
      <label className="tick">
        <input
          type="checkbox"
          checked={draft.consent}
          aria-invalid={wrong !== undefined}
          onChange={({ target }) => fill({ consent: target.checked })}
        />
        <span>{t('agree')}</span>
      </label>
      <WrongWords words={wrong} />
    </section>
  )
}
