/** A new password, typed twice, with its rules: each is ticked off while the user types. */
import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { PASSWORD_MAX, PASSWORD_MIN } from '@gatehouse/contract'
import { passwordFault } from '@gatehouse/contract/account'
import styles from './account.module.css'

const isPalindrome = (password: string): boolean => [...password].join('') === [...password].toReversed().join('')

/** Rules for a password, in the order they are shown. */
const RULES = {
  length: (password) => [...password].length >= PASSWORD_MIN && [...password].length <= PASSWORD_MAX,
  letters: (password) => /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password),
  digit: (password) => /\p{Nd}/u.test(password),
  special: (password) => /[^\p{L}\p{Nd}\s]/u.test(password),
  palindrome: (password) => password.length > 0 && !isPalindrome(password),
} satisfies Record<string, (password: string) => boolean>
type Rule = keyof typeof RULES

export interface NewPasswordValues {
  newPassword: string
  confirmPassword: string
}

export function NewPasswordFields({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation('account')
  return (
    <>
      <Form.Item
        name="newPassword"
        label={t('password.new')}
        validateTrigger="onBlur"
        rules={[
          { required: true, message: t('password.newRequired') },
          {
            validator: (_, value: string | undefined) =>
              !value || passwordFault(value) === null ? Promise.resolve() : Promise.reject(new Error(t('password.tooSimple'))),
          },
        ]}
      >
        <Input.Password autoFocus={autoFocus} autoComplete="new-password" maxLength={64} />
      </Form.Item>
      <Form.Item noStyle dependencies={['newPassword']}>
        {(form) => <Rules password={(form.getFieldValue('newPassword') as string | undefined) ?? ''} />}
      </Form.Item>
      <Form.Item
        name="confirmPassword"
        label={t('password.confirm')}
        validateTrigger="onBlur"
        dependencies={['newPassword']}
        rules={[
          { required: true, message: t('password.confirmRequired') },
          ({ getFieldValue }) => ({
            validator: (_, value: string | undefined) =>
              !value || value === getFieldValue('newPassword') ? Promise.resolve() : Promise.reject(new Error(t('password.differ'))),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={64} />
      </Form.Item>
    </>
  )
}

function Rules({ password }: { password: string }) {
  const { t } = useTranslation('account')
  const words: Record<Rule, string> = {
    length: t('rule.length', { min: PASSWORD_MIN, max: PASSWORD_MAX }),
    letters: t('rule.letters'),
    digit: t('rule.digit'),
    special: t('rule.special'),
    palindrome: t('rule.palindrome'),
  }
  return (
    <ul className={styles.rules}>
      {(Object.keys(RULES) as Rule[]).map((rule) => {
        const kept = RULES[rule](password)
        return (
          <li key={rule} data-kept={kept || undefined}>
            {kept ? <CheckCircleFilled aria-label={t('rule.kept')} /> : <MinusCircleOutlined aria-hidden />}
            <span>{words[rule]}</span>
          </li>
        )
      })}
    </ul>
  )
}
