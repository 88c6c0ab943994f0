/** When visitors who are still signed in are signed off after the end of their authorisation: at once, at a time, or never. */
import { Select, Space } from 'antd'
import { useTranslation } from 'react-i18next'
import { ClockInput } from '../../../kit/form/ClockInput.tsx'

interface SignOffTimeFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  /** `nextDay`, a time of the next day as `HH:mm`, or empty: never. */
  value?: string
  onChange?: (value: string) => void
}

const AT_ONCE = 'nextDay'
const CHOICES = ['atOnce', 'atTime', 'never'] as const
type Choice = (typeof CHOICES)[number]
/** Time of the next day that is offered first. */
const USUAL_TIME = '08:00'

const choiceOf = (value: string): Choice => (value === '' ? 'never' : value === AT_ONCE ? 'atOnce' : 'atTime')
const VALUES: Record<Choice, string> = { atOnce: AT_ONCE, atTime: USUAL_TIME, never: '' }

export function SignOffTimeField({ id, value = '', onChange }: SignOffTimeFieldProps) {
  const { t } = useTranslation('visitors')
  const choice = choiceOf(value)
  return (
    <Space>
      <Select<Choice>
        {...(id && { id })}
        value={choice}
        options={CHOICES.map((one) => ({ value: one, label: t(`settings.expired.${one}`) }))}
        onChange={(next) => onChange?.(VALUES[next])}
        style={{ width: 240 }}
      />
      {choice === 'atTime' && <ClockInput label={t('settings.expiredTime')} value={value} set={(time) => onChange?.(time)} />}
    </Space>
  )
}
