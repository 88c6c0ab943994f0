/** The documents of the park: read, then agreed to by a tick, or signed by hand or by typing one's name. */
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { PERSON_NAME_MAX } from '@gatehouse/contract/limits'
import type { Draft } from './draft.ts'
import { Field, Wrong } from './Parts.tsx'
import type { OpenedLink } from './reservation.ts'
import { SignaturePad } from './SignaturePad.tsx'
import './signing.css'

interface SigningPartProps {
  link: OpenedLink
  draft: Draft
  fill: (part: Partial<Draft>) => void
  wordsAt: (field: string) => string | undefined
}

type Shown = OpenedLink['documents'][number]
const NOTHING: Draft['accepted'][string] = { ticked: false, strokes: [], typedName: '' }

export default function SigningPart({ link, draft, fill, wordsAt }: SigningPartProps) {
  const { t } = useTranslation('visit')
  return (
    <section>
      <h2>{t('documents')}</h2>
      {link.documents.map((document) => (
        <SignedDocument
          key={document.documentId}
          document={document}
          accepted={draft.accepted[document.documentId] ?? NOTHING}
          change={(part) =>
            fill({
              accepted: { ...draft.accepted, [document.documentId]: { ...NOTHING, ...draft.accepted[document.documentId], ...part } },
            })
          }
          wrong={wordsAt(document.documentId)}
        />
      ))}
    </section>
  )
}

interface SignedDocumentProps {
  document: Shown
  accepted: Draft['accepted'][string]
  change: (part: Partial<Draft['accepted'][string]>) => void
  wrong: string | undefined
}

function SignedDocument({ document, accepted, change, wrong }: SignedDocumentProps) {
  const { t } = useTranslation('visit')
  const id = useId()
  return (
    <div className="document" role="group" aria-labelledby={id} {...(wrong !== undefined && { 'data-wrong': true })}>
      <h3 id={id}>{document.title}</h3>
      {/* It scrolls, so that it can be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="text" tabIndex={0} role="region" aria-labelledby={id} lang={document.language}>
        {document.text}
      </div>
      {document.agreement === 'tick' ? (
        <label className="tick">
          <input
            type="checkbox"
            checked={accepted.ticked}
            aria-invalid={wrong !== undefined}
            onChange={({ target }) => change({ ticked: target.checked })}
          />
          <span>{t('agreeTo', { title: document.title })}</span>
        </label>
      ) : (
        <>
          <SignaturePad
            label={t('signature', { title: document.title })}
            strokes={accepted.strokes}
            change={(strokes) => change({ strokes })}
          />
          {accepted.strokes.length === 0 && (
            <Field
              label={t('typedName')}
              hint={t('typedNameHint')}
              autoComplete="off"
              maxLength={PERSON_NAME_MAX}
              value={accepted.typedName}
              onChange={({ target }) => change({ typedName: target.value })}
            />
          )}
        </>
      )}
      <Wrong words={wrong} />
    </div>
  )
}
