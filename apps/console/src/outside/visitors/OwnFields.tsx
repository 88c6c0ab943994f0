/** Own fields of the park's visitor form: text, one of several, several of several, a picture. */
import { useId, useState, type ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { customFieldInputType } from '@gatehouse/contract/enums/visitors'
import { VISITOR_VALUE_MAX } from '@gatehouse/contract/visitors/fields'
import { appointmentCalls, type OpenField } from '@gatehouse/contract/visitors/appointments'
import { exchange } from '../../api/http.ts'
import { Refusal } from '../../api/refusal.ts'
import { uprightPhoto } from '../enrolment/Camera.tsx'
import { wordsOf } from '../enrolment/texts.ts'
import { Field, Wrong } from './Parts.tsx'

interface OwnFieldProps {
  token: string
  field: OpenField
  value: string
  wrong: string | undefined
  change: (value: string) => void
}

export function OwnField(props: OwnFieldProps) {
  const { field, value, wrong, change } = props
  if (field.inputType === customFieldInputType.select) return <Choice {...props} />
  if (field.inputType === customFieldInputType.radio || field.inputType === customFieldInputType.multiple) return <Choices {...props} />
  if (field.inputType === customFieldInputType.image) return <Picture {...props} />
  return (
    <Field
      label={field.title}
      required={field.required}
      wrong={wrong}
      maxLength={VISITOR_VALUE_MAX}
      value={value}
      onChange={({ target }) => change(target.value)}
    />
  )
}

function Choice({ field, value, wrong, change }: OwnFieldProps) {
  const { t } = useTranslation('visit')
  const id = useId()
  return (
    <div className="field" {...(wrong !== undefined && { 'data-wrong': true })}>
      <label htmlFor={id}>
        {field.title}
        {field.required && <i aria-hidden="true"> *</i>}
      </label>
      <select id={id} value={value} aria-invalid={wrong !== undefined} onChange={({ target }) => change(target.value)}>
        <option value="">{t('choose')}</option>
        {field.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
      <Wrong words={wrong} />
    </div>
  )
}

/** One of several, or several of several, which are stored separated by semicolons. */
function Choices({ field, value, wrong, change }: OwnFieldProps) {
  const isMultiple = field.inputType === customFieldInputType.multiple
  const chosen = value === '' ? [] : value.split(';')
  const toggle = (choice: string): void =>
    change(isMultiple ? field.choices.filter((one) => chosen.includes(one) !== (one === choice)).join(';') : choice)
  return (
    <fieldset className="choices" {...(wrong !== undefined && { 'data-wrong': true })}>
      <legend>
        {field.title}
        {field.required && ' *'}
      </legend>
      <div>
        {field.choices.map((choice) => (
          <label key={choice}>
            <input
              type={isMultiple ? 'checkbox' : 'radio'}
              name={field.id}
              checked={chosen.includes(choice)}
              onChange={() => toggle(choice)}
            />
            <span>{choice}</span>
          </label>
        ))}
      </div>
      <Wrong words={wrong} />
    </fieldset>
  )
}

function Picture({ token, field, value, wrong, change }: OwnFieldProps) {
  const { t } = useTranslation('visit')
  const [refusal, setRefusal] = useState<Refusal>()
  const [sending, setSending] = useState(false)
  async function take({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    target.value = ''
    if (!file) return
    setSending(true)
    setRefusal(undefined)
    try {
      const picture = await uprightPhoto(file)
      change((await exchange(appointmentCalls.photo, { linkToken: token, body: { of: 'field' }, file: picture })).url)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
    } finally {
      setSending(false)
    }
  }
  const words = refusal ? wordsOf(refusal) : wrong
  return (
    <div className="field" {...(words !== undefined && { 'data-wrong': true })}>
      <p className="hint">
        {field.title}
        {field.required && ' *'}
      </p>
      <label className="button">
        {sending ? t('checking') : t(value === '' ? 'picture' : 'pictureThere')}
        <input type="file" accept="image/*" aria-label={field.title} onChange={(event) => void take(event)} />
      </label>
      <Wrong words={words} />
    </div>
  )
}
