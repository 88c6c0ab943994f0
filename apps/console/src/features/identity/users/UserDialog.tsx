/** The dialog that adds or changes an account, over the list. */
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
  /** Node that is offered first for a new account; absent: the current park. */
  organisationId?: string | undefined
  /** Called for a new account, with the password that was made or the address it was mailed to, where there is either. */
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
  const conflicts = useConflicts()
  const account = useRef('')
  return (
    <FormDialog
      call={userCalls.create}
      editor={editor}
      title={t('user.add')}
      width={720}
      initial={park ? { status: 'ready', values: newUser(organisationId ?? park.id) } : { status: 'loading' }}
      also={(values) => [...handingIssues(values as UserValues), ...conflicts.issues(values)]}
      prepare={(body) => {
        account.current = String(body['account'])
        return userBody(body)
      }}
      done={t('user.added')}
      draft="user.add"
      onDone={(answer) => onHanded({ account: account.current, ...answer })}
    >
      <UserFields creating conflicts={conflicts} />
    </FormDialog>
  )
}

function ChangeUser({ editor, id }: { editor: Editor<User>; id: string }) {
  const { t } = useTranslation('identity')
  const user = useReadOnce(userCalls.read, { params: { id } })
  const conflicts = useConflicts(id)
  return (
    <FormDialog
      call={userCalls.change}
      editor={editor}
      title={t('editOf', { name: user.data?.account ?? '' })}
      width={720}
      initial={loadedFrom(user, userValuesOf)}
      hidden={{ id, version: user.data?.version }}
      also={conflicts.issues}
      done={t('saved')}
      draft={`user.${id}`}
    >
      <UserFields creating={false} conflicts={conflicts} currentRoles={user.data?.roleDetails} />
    </FormDialog>
  )
}

interface UserFieldsProps {
  conflicts: Conflicts
  /** Present for an account that exists. */
  currentRoles?: { id: string; name: string }[] | undefined
  creating: boolean
}

/** The fields of an account, named as in the write calls. */
function UserFields({ conflicts, currentRoles, creating }: UserFieldsProps) {
  const { t } = useTranslation('identity')
  const optionsOf = useEnumOptions()
  const form = Form.useFormInstance<UserValues>()
  const organisationId = Form.useWatch<string | undefined>('organisationId')

  /** Ask, when a field is left, whether its value belongs to another account. An answer for an earlier value is ignored. */
  async function askAbout(field: 'account' | 'email', isTaken: (value: string) => Promise<boolean>): Promise<void> {
    const value = String(form.getFieldValue(field) ?? '').trim()
    if (value === '' || !form.isFieldTouched(field) || !(await isTaken(value)) || form.getFieldValue(field) !== value) return
    form.setFields([{ name: field, errors: [sentenceOfIssue({ path: field, rule: `${field}Taken` })] }])
  }

  // Placed where both columns stay even: a new account has one more field.
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
              onBlur={() => void askAbout('account', conflicts.checkAccount)}
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
          <RolesField organisationId={organisationId} currentRoles={currentRoles} />
        </Form.Item>
        <Form.Item name="email" label={t('user.email')}>
          <Input
            maxLength={USER_TEXT_MAX}
            autoComplete="off"
            inputMode="email"
            onBlur={() => void askAbout('email', conflicts.checkEmail)}
          />
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

/** How the password reaches its owner: shown here once, mailed, or typed by the administrator. */
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

interface Conflicts {
  /** Ask the server; true where the value belongs to another account. False where the call fails: saving checks it again. */
  checkAccount: (account: string) => Promise<boolean>
  checkEmail: (email: string) => Promise<boolean>
  /** Return issues for values that were found to belong to other accounts. */
  issues: (values: UserValues) => FieldIssue[]
}

/**
 * Find out while a form is filled in whether a user name or an e-mail address belongs to another account.
 * @param userId account being changed, whose own address is no conflict
 */
function useConflicts(userId?: string): Conflicts {
  const conflicting = useRef({ account: '', email: '' })
  const remember = async (field: 'account' | 'email', value: string, answer: Promise<{ available: boolean }>): Promise<boolean> => {
    const taken = await answer.then(
      ({ available }) => !available,
      () => false,
    )
    conflicting.current[field] = taken ? value : ''
    return taken
  }
  return {
    checkAccount: (account) =>
      remember('account', account, request(userCalls.checkUsername, { query: { username: account } }, { errors: 'silent' })),
    checkEmail: (email) =>
      remember('email', email, request(userCalls.checkEmail, { query: { email, ...(userId && { userId }) } }, { errors: 'silent' })),
    issues: ({ account, email }) => [
      ...(account && account === conflicting.current.account ? [{ path: 'account', rule: 'accountTaken' }] : []),
      ...(email && email === conflicting.current.email ? [{ path: 'email', rule: 'emailTaken' }] : []),
    ],
  }
}
