/** Until when a link is valid: one of the usual times from now, or a moment. */
import { Form, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { ENROLMENT_LINK, type InputOf } from '@gatehouse/contract'
import type { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { InstantField } from '../../kit/form/InstantField.tsx'

type Fields = InputOf<typeof enrolmentCalls.createLink.body>

/** Hours. */
const USUAL = [ENROLMENT_LINK, 24, 3 * 24, 7 * 24]
const CUSTOM = 'custom'

export function ValidityField() {
  const { t } = useTranslation('enrolment')
  const form = Form.useFormInstance<Fields>()
  const hours = Form.useWatch('hours', form)
  return (
    <>
      <Form.Item name="hours" label={t('link.validity')} extra={t('link.validityWords')}>
        <Hours choose={() => form.setFieldsValue({ expiresAt: null })} />
      </Form.Item>
      {hours === null && (
        <Form.Item name="expiresAt" label={t('link.validUntil')} required>
          <InstantField as="time" />
        </Form.Item>
      )}
    </>
  )
}

/** @param choose called before the choice is taken over */
function Hours({ value, onChange, choose }: { value?: number | null; onChange?: (hours: number | null) => void; choose: () => void }) {
  const { t } = useTranslation('enrolment')
  return (
    <Segmented
      block
      aria-label={t('link.validity')}
      value={value ?? CUSTOM}
      options={[
        ...USUAL.map((hours) => ({
          value: hours as number | string,
          label: hours < 24 ? t('link.hours', { count: hours }) : t('link.days', { count: hours / 24 }),
        })),
        { value: CUSTOM, label: t('link.customEnd') },
      ]}
      onChange={(chosen) => {
        choose()
        onChange?.(chosen === CUSTOM ? null : Number(chosen))
      }}
    />
  )
}
