/** One setting of the form: its value, where that comes from, and the way back to what it would be otherwise. */
import { Button, Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { SERVER_OF_DEVICE } from '@gatehouse/contract/configuration/settings'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { useMay } from '../../api/session.ts'
import { controls, type FieldName } from './fieldList.ts'
import { SettingInput } from './SettingInput.tsx'
import { useSettingWords } from './settingWords.ts'
import type { SettingValues } from './settingValues.ts'
import styles from './configuration.module.css'

/** What a value is where the form sets none, and who says so. */
export interface Inherited {
  values: Readonly<Record<FieldName, unknown>>
  /** Fields the park sets; none of them where it is the park that is set. */
  ofPark: ReadonlySet<string>
}

interface SettingFieldProps {
  field: FieldName
  inherited: Inherited
  fahrenheit: boolean
}

/** Optional texts: emptied, they are none. */
const NULLABLE_TEXTS: readonly FieldName[] = ['ntpServer', 'ip', 'subnetMask', 'gateway', 'dns', 'serverAddress']

export function SettingField(props: SettingFieldProps) {
  const words = useSettingWords()
  const { field } = props
  const wide = controls[field].kind === 'file' || field === 'verificationMode'
  return (
    <Form.Item name={field} label={words.name(field)} className={wide ? (styles.wide ?? '') : ''}>
      <InheritingInput {...props} />
    </Form.Item>
  )
}

interface InheritingInputProps extends SettingFieldProps {
  /** Given by `<Form.Item>`; undefined where the form sets nothing. */
  id?: string
  value?: unknown
  onChange?: (value: unknown) => void
}

function InheritingInput({ id, value, onChange, field, inherited, fahrenheit }: InheritingInputProps) {
  const { t } = useTranslation('configuration')
  const words = useSettingWords()
  const form = Form.useFormInstance<SettingValues>()
  const withoutValue = Form.useWatch('withoutValue', { form, preserve: true }) ?? []
  const isNone = (withoutValue as readonly string[]).includes(field)
  const isSet = isNone || value != null
  const given = inherited.values[field]
  const from = inherited.ofPark.has(field) ? 'park' : 'builtIn'
  const wayBack = t(`giveBack.${from}`, { value: words.value(field, given) })
  const mayPair = useMay('own:device.pair')
  const locked = !mayPair && (SERVER_OF_DEVICE as readonly FieldName[]).includes(field)
  const note = locked ? t('serverLocked') : t(`note.${field}`, { defaultValue: '' })
  /** @param next undefined: it is not set; null: it has no value, whatever is inherited */
  const set = (next: unknown): void => {
    const others = withoutValue.filter((name) => name !== field)
    form.setFieldValue('withoutValue', next === null ? [...others, field] : others)
    onChange?.(next ?? undefined)
  }
  const take = (next: unknown): void => {
    const meant = next === '' && NULLABLE_TEXTS.includes(field) ? null : next
    // Emptied where there would be nothing anyway: it is not set any more.
    set(meant === null && given === null ? undefined : meant)
  }
  return (
    <>
      <SettingInput
        id={id}
        field={field}
        value={isNone ? null : (value ?? given)}
        fahrenheit={fahrenheit}
        disabled={locked}
        onChange={take}
      />
      <span className={styles.source}>
        {!isSet ? (
          <span>{t(`source.${from}`)}</span>
        ) : (
          <>
            <StatusTag status="info">{t('source.own')}</StatusTag>
            {!locked && (
              <Button
                type="link"
                size="small"
                title={wayBack}
                aria-label={t('giveBackOf', { words: wayBack, name: words.name(field) })}
                onClick={() => set(undefined)}
              >
                {wayBack}
              </Button>
            )}
          </>
        )}
      </span>
      {note && <small className={styles.hint}>{note}</small>}
    </>
  )
}
