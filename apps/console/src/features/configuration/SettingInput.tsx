/** What a value is typed into or chosen from. */
import { Input, InputNumber, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { TIME_ZONES } from '@gatehouse/contract'
import { zoneText } from '@gatehouse/contract/configuration/settings'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { controls, type FieldName } from './fieldList.ts'
import { FileInput } from './FileInput.tsx'
import { fahrenheitOf, useSettingWords, zoneWords } from './settingWords.ts'
import styles from './configuration.module.css'

interface SettingInputProps {
  id?: string | undefined
  field: FieldName
  value: unknown
  /** Temperatures are also shown in Fahrenheit. */
  fahrenheit: boolean
  /** It is not for the person at the screen to set. */
  disabled: boolean
  onChange: (value: unknown) => void
}

const isOffered = (offered: readonly number[] | undefined, option: number | string, chosen: unknown): boolean =>
  offered === undefined || offered.includes(Number(option)) || (Array.isArray(chosen) && chosen.includes(option))

export function SettingInput({ id, field, value, fahrenheit, disabled, onChange }: SettingInputProps) {
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
      // Limits are shown, not forced: what is typed is told what is wrong with it.
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
        'of' in control
          ? optionsOf(control.of).filter((option) => isOffered(control.offered, option.value, value))
          : control.words.map((word) => ({ value: word, label: t(`choice.${field}.${word}`) }))
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
