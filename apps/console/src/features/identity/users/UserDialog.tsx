/** Adds an account or changes one, over the list. */
import { Form, Input, Radio, Segmented, Switch } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { userCalls, type User } from '@gatehouse/contract/identity/users'
import { ACCOUNT_NAME_MAX, PASSWORD_MAX, USER_TEXT_MAX, type FieldIssue } from '@gatehouse/contract'
import { passwordValidity } from '@gatehouse/contract/enums/identity'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { useRead, useReadOnce } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { InstantField } from '../../../kit/form/InstantField.tsx'
import { OrganisationField } from '../../../shared/OrganisationField.tsx'
import { sentenceOfIssue } from '../../../api/refusal.ts'
import { prepareEncryption } from '../../../api/encrypt.ts'
import { request } from '../../../api/request.ts'
import type { Handed } from './PasswordOnce.tsx'
import { handingIssues, newUser, userBody, userValuesOf, type Handing, type UserValues } from './userValues.ts'
import { RolesField } from './RolesField.tsx'
import styles from '../identity.module.css'

interface UserDialogProps {
  editor: Editor<User>
  /** Node a new account is offered first; the park one is in unless told. */
  organisationId?: string | undefined
  /** Told the password that was made, where one was. */
  onHanded: (handed: Handed) => void
}

export default function UserDialog({ editor, organisationId, onHanded }: UserDialogProps) {
  return editor.target ? (
    <ChangeUser editor={editor} id={editor.target.id} />
  ) : (
    <AddUser editor={editor} organisationId={organisationId} onHanded={onHanded} />
  )
}

function AddUser({ editor, organisationId, onHanded }: UserDialogProps) {
  const { t } = useTranslation('identity')
  const park = useSession((session) => session.park)
  const taken = useTaken()
  const account = useRef('')
  return (
    <FormDialog
      call={userCalls.create}
      editor={editor}
      title={t('user.add')}
      width={720}
      initial={park ? { status: 'ready', values: newUser(organisationId ?? park.id) } : { status: 'loading' }}
      also={(values) => [...handingIssues(values as UserValues), ...taken.issues(values)]}
      prepare={(body) => {
        account.current = String(body['account'])
        return userBody(body)
      }}
      done={t('user.added')}
      draft="user.add"
      onDone={(answer) => onHanded({ account: account.current, ...answer })}
    >
      <UserFields creating taken={taken} />
    </FormDialog>
  )
}

function ChangeUser({ editor, id }: { editor: Editor<User>; id: string }) {
  const { t } = useTranslation('identity')
  const user = useReadOnce(userCalls.read, { params: { id } })
  const taken = useTaken(id)
  return (
    <FormDialog
      call={userCalls.change}
      editor={editor}
      title={t('editOf', { name: user.data?.account ?? '' })}
      width={720}
      initial={loadedFrom(user, userValuesOf)}
      hidden={{ id, version: user.data?.version }}
      also={taken.issues}
      done={t('saved')}
      draft={`user.${id}`}
    >
      <UserFields creating={false} taken={taken} held={user.data?.roleDetails} />
    </FormDialog>
  )
}

interface UserFieldsProps {
  taken: Taken
  /** Present for an account that exists. */
  held?: { id: string; name: string }[] | undefined
  creating: boolean
}

/** The fields of an account, named as in the write calls. */
function UserFields({ taken, held, creating }: UserFieldsProps) {
  const { t } = useTranslation('identity')
  const optionsOf = useEnumOptions()
  const form = Form.useFormInstance<UserValues>()
  const organisationId = Form.useWatch<string | undefined>('organisationId')

  /** After leaving a field: is it somebody else's? What was typed meanwhile is not judged by an old answer. */
  async function askAbout(field: 'account' | 'email', isTaken: (value: string) => Promise<boolean>): Promise<void> {
    const value = String(form.getFieldValue(field) ?? '').trim()
    if (value === '' || !form.isFieldTouched(field) || !(await isTaken(value)) || form.getFieldValue(field) !== value) return
    form.setFields([{ name: field, errors: [sentenceOfIssue({ path: field, rule: `${field}Taken` })] }])
  }

  // Where it keeps the two columns even: a new account has a name to fill in besides.
  const idCard = (
    <Form.Item name="idCard" label={t('user.idCard')}>
      <Input maxLength={32} autoComplete="off" />
    </Form.Item>
  )
  return (
    <>
      <div className={styles.fields}>
        {creating && (
          <Form.Item name="account" label={t('user.account')} required extra={t('user.accountHint')}>
            <Input
              maxLength={ACCOUNT_NAME_MAX}
              autoComplete="off"
              spellCheck={false}
              onBlur={() => void askAbout('account', taken.checkAccount)}
            />
          </Form.Item>
        )}
        <Form.Item name="realName" label={t('user.realName')} required>
          <Input maxLength={USER_TEXT_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item name="administratorName" label={t('user.administratorName')} extra={t('user.administratorNameHint')}>
          <Input maxLength={USER_TEXT_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item name="organisationId" label={t('organisation')} required extra={t('user.organisationHint')}>
          <OrganisationField />
        </Form.Item>
        <Form.Item name="roles" label={t('user.roles')} required>
          <RolesField organisationId={organisationId} held={held} />
        </Form.Item>
        <Form.Item name="email" label={t('user.email')}>
          <Input maxLength={USER_TEXT_MAX} autoComplete="off" inputMode="email" onBlur={() => void askAbout('email', taken.checkEmail)} />
        </Form.Item>
        <Form.Item name="phone" label={t('user.phone')}>
          <Input maxLength={USER_TEXT_MAX} autoComplete="off" inputMode="tel" />
        </Form.Item>
        {!creating && idCard}
      </div>
      {creating && <PasswordHanding />}
      <div className={styles.fields}>
        <Form.Item name="expiry" label={t('user.expiry')} extra={t('user.expiresHint')}>
          <InstantField as="end" />
        </Form.Item>
        <Form.Item name="passwordValidity" label={t('user.passwordValidity')} extra={t('user.validityHint')}>
          <Segmented aria-label={t('user.passwordValidity')} block options={optionsOf(passwordValidity)} />
        </Form.Item>
        {creating && idCard}
        <Form.Item name="enablePageDataMasking" label={t('masking')} valuePropName="checked" extra={t('user.maskingHint')}>
          <Switch />
        </Form.Item>
      </div>
    </>
  )
}

/** How a password comes to the one it is for: shown here once, mailed, or thought of by the administrator. */
function PasswordHanding() {
  const { t } = useTranslation('identity')
  const { data: login } = useRead(identityCalls.loginConfig, {})
  const handing = Form.useWatch<Handing | undefined>('handing')
  return (
    <div className={styles.handing}>
      <Form.Item
        name="handing"
        label={t('password.first')}
        extra={handing === 'mailed' && login?.mailDelivers === false ? t('password.outbox') : t('password.mustChange')}
      >
        <Radio.Group
          className={styles.choices ?? ''}
          options={[
            { value: 'shown', label: t('password.shown') },
            { value: 'mailed', label: t('password.mailed') },
            { value: 'typed', label: t('password.typed') },
          ]}
        />
      </Form.Item>
      {handing === 'typed' && (
        <Form.Item name="password" label={t('password.password')} required extra={t('password.policy')}>
          <Input.Password autoComplete="new-password" maxLength={PASSWORD_MAX} onFocus={prepareEncryption} />
        </Form.Item>
      )}
    </div>
  )
}

interface Taken {
  /** Asks the server; true where the value is another's. Nothing is said where it cannot be asked: saving will tell. */
  checkAccount: (account: string) => Promise<boolean>
  checkEmail: (email: string) => Promise<boolean>
  /** For the form's own rules: what is known to be taken. */
  issues: (values: UserValues) => FieldIssue[]
}

/**
 * Says while a form is filled in that a user name or an e-mail address belongs to somebody else.
 * @param userId whose own address it may be
 */
function useTaken(userId?: string): Taken {
  const known = useRef({ account: '', email: '' })
  const remember = async (field: 'account' | 'email', value: string, asked: Promise<{ available: boolean }>): Promise<boolean> => {
    const taken = await asked.then(
      ({ available }) => !available,
      () => false,
    )
    known.current[field] = taken ? value : ''
    return taken
  }
  return {
    checkAccount: (account) =>
      remember('account', account, request(userCalls.checkUsername, { query: { username: account } }, { errors: 'silent' })),
    checkEmail: (email) =>
      remember('email', email, request(userCalls.checkEmail, { query: { email, ...(userId && { userId }) } }, { errors: 'silent' })),
    issues: ({ account, email }) => [
      ...(account && account === known.current.account ? [{ path: 'account', rule: 'accountTaken' }] : []),
      ...(email && email === known.current.email ? [{ path: 'email', rule: 'emailTaken' }] : []),
    ],
  }
}
