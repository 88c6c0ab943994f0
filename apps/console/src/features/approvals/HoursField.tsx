/** Hours of the week a written rule is about: all of them, or some. */
import { Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Period, WEEKDAYS, WeekField } from '../strategies/index.ts'

interface HoursFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  /** None: at all times. */
  value?: Period[]
  onChange?: (periods: Period[]) => void
}

/** What most rules on hours begin as. */
const EVENINGS: Period[] = WEEKDAYS.map((weekday) => ({ weekday, start: '20:00', end: '24:00' }))

export function HoursField({ id, value = [], onChange }: HoursFieldProps) {
  const { t } = useTranslation('approvals')
  const [chosen, setChosen] = useState(false)
  const some = chosen || value.length > 0
  return (
    <div id={id} tabIndex={-1}>
      <Radio.Group
        aria-label={t('whenTitle')}
        value={some}
        onChange={({ target }) => {
          setChosen(target.value as boolean)
          onChange?.(target.value ? EVENINGS : [])
        }}
        options={[
          { value: false, label: t('always') },
          { value: true, label: t('someHours') },
        ]}
      />
      {some && <WeekField value={value} {...(onChange && { onChange })} />}
    </div>
  )
}
