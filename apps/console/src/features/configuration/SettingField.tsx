/** One setting of the form: its value, where the value comes from, and a button that returns to the inherited one. */
import { Button, Form, Input, InputNumber, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { SERVER_OF_DEVICE, zoneText } from '@gatehouse/contract/configuration/settings'
import { TIME_ZONES } from '@gatehouse/contract'
import { StatusTag, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { useMay } from '../../api/session.ts'
import { controls, fahrenheitOf, useSettingWords, zoneWords, type FieldName } from './settingFields.ts'
import type { Inherited, SettingValues } from './settingValues.ts'
import { FileInput } from './FileInput.tsx'
import styles from './configuration.module.css'

interface SettingFieldProps {
  field: FieldName
  inherited: Inherited
  fahrenheit: boolean
}

/** Optional texts: an empty one is no value. */
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
  /** Given by `<Form.Item>`; `value` is undefined where the form sets nothing. */
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
  const inheritedValue = inherited.values[field]
  const from = inherited.ofPark.has(field) ? 'park' : 'builtIn'
  const wayBack = t(`giveBack.${from}`, { value: words.value(field, inheritedValue) })
  const mayPair = useMay('own:device.pair')
  const locked = !mayPair && (SERVER_OF_DEVICE as readonly FieldName[]).includes(field)
  const note = locked ? t('serverLocked') : t(`note.${field}`, { defaultValue: '' })
  /** Set the field. @param next undefined: not set; null: without a value, whatever is inherited */
  const set = (next: unknown): void => {
    const others = withoutValue.filter((name) => name !== field)
    form.setFieldValue('withoutValue', next === null ? [...others, field] : others)
    onChange?.(next ?? undefined)
  }
  const take = (next: unknown): void => {
    const meant = next === '' && NULLABLE_TEXTS.includes(field) ? null : next
    // Where nothing is inherited, an emptied field is no longer set.
    set(meant === null && inheritedValue === null ? undefined : meant)
  }
  return (
    <>
      <SettingInput
        id={id}
        field={field}
        value={isNone ? null : (value ?? inheritedValue)}
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

interface SettingInputProps {
  id?: string | undefined
  field: FieldName
  value: unknown
  /** Temperatures are also shown in Fahrenheit. */
  fahrenheit: boolean
  /** The user may not set it. */
  disabled: boolean
  onChange: (value: unknown) => void
}

/** The input of a value. */
function SettingInput({ id, field, value, fahrenheit, disabled, onChange }: SettingInputProps) {
  const { t } = useTranslation('configuration')
  const words = useSettingWords()
  const optionsOf = useEnumOptions()
  const control = controls[field]
  const shared = { disabled, ...(id && { id }) }
  const nothing = words.value(field, null)
  switch (control.kind) {
    case 'switch':
      return <Switch {...shared} checked={value === 1} onChange={(on) => onChange(on ? 1 : 0)} />
    case 'number': {
      const { min, max, step, unit } = control
      // Limits are shown, not enforced: a typed value beyond them gets an error message.
      return (
        <InputNumber
          {...shared}
          className={styles.number ?? ''}
          value={value as number | null}
          step={step}
          placeholder={nothing}
          suffix={unit && t(`suffix.${unit}`)}
          title={t('range', { min, max })}
          onChange={onChange}
        />
      )
    }
    case 'temperature':
      return (
        <span className={styles.temperature}>
          <InputNumber
            {...shared}
            className={styles.number ?? ''}
            value={value as number | null}
            step={0.1}
            suffix="°C"
            onChange={onChange}
          />
          {fahrenheit && typeof value === 'number' && <span>{t('fahrenheit', { value: fahrenheitOf(value).toFixed(1) })}</span>}
        </span>
      )
    case 'text':
      return (
        <Input
          {...shared}
          value={(value as string | null) ?? ''}
          maxLength={control.max}
          placeholder={nothing}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
        />
      )
    case 'zone':
      return (
        <Select<string | null>
          {...shared}
          value={value as string | null}
          allowClear
          placeholder={nothing}
          showSearch={{ optionFilterProp: 'label' }}
          options={TIME_ZONES.map(zoneText).map((text) => ({ value: text, label: zoneWords(text) }))}
          onChange={(text) => onChange(text ?? null)}
        />
      )
    case 'file':
      return <FileInput id={id} kind={control.file} name={words.name(field)} value={value as string | null} onChange={onChange} />
    case 'one':
    case 'several': {
      const options =
        'of' in control ? optionsOf(control.of) : control.words.map((word) => ({ value: word, label: t(`choice.${field}.${word}`) }))
      if (control.kind === 'several')
        return (
          <Select
            {...shared}
            mode="multiple"
            value={value as string[]}
            options={options}
            placeholder={nothing}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={onChange}
          />
        )
      return <Select {...shared} value={value as string | null} options={options} placeholder={nothing} onChange={onChange} />
    }
  }
}
