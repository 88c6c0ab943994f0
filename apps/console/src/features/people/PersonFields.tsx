/** The fields of a person, named as in the write calls: the photograph first, what is seldom needed behind its heading. */
import { Checkbox, Form, Input, Segmented, Select, Space, Button } from 'antd'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { FACES_PER_PERSON, PERSON_NAME_MAX, PERSON_NUMBER_MAX, PHONE_MAX, TEXT_MAX, PASSCODE_MAX } from '@gatehouse/contract'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { cardNumberFormat, gender, personCardType } from '@gatehouse/contract/enums/people'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import { ID_TYPES, type ConsentState, type PersonKind } from '@gatehouse/contract/people/calls'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import { similarTo } from '../../shared/cachedFaces.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { Fold } from '../../kit/form/Fold.tsx'
import { InstantField } from '../../kit/form/InstantField.tsx'
import { LookAlikes } from '../../shared/LookAlikes.tsx'
import { PhotoField } from '../../shared/PhotoField.tsx'
import { useRead } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import { PermitField } from '../approvals/index.ts'
import { EffectLine } from '../questions/index.ts'
import { NewContacts } from './contacts/ContactFields.tsx'
import { GroupField } from './GroupField.tsx'
import { IdNumberField } from './IdNumberField.tsx'
import { personKinds } from './personKinds.ts'
import { useFaceWanted, type PersonValues } from './personValues.ts'
import { DocumentField } from './DocumentField.tsx'
import styles from './people.module.css'

/** What the form has to know of somebody who is registered already. */
interface KnownPerson {
  id: string
  groupId: string
  faces: FacePhoto[]
  hasPersonalPassword: boolean
  faceConsent: ConsentState
}

interface PersonFieldsProps {
  kind: PersonKind
  /** Absent while the person is still to be registered: then contacts can be added too. */
  known?: KnownPerson | undefined
  /** Shows somebody the new photograph turned out to be; what was typed is kept. */
  openPerson: (id: string) => void
}

export function PersonFields({ kind, known, openPerson }: PersonFieldsProps) {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  const faceWanted = useFaceWanted(kind)
  const park = useRead(personFormCalls.read, {})
  const mayPermit = useMayCall(permitCalls.persons)
  const groupId = Form.useWatch<string | undefined>('groupId')
  const faceIds = Form.useWatch<string[] | undefined>('facePhotos') ?? []
  const idPhotoWanted = kind !== 'special' && park.data?.idPhotoRequired === true
  const idPhoto = (
    <Form.Item name="idPhoto" label={t('idPhoto')} required={idPhotoWanted}>
      <DocumentField name={t('idPhoto')} />
    </Form.Item>
  )
  return (
    <>
      <Form.Item name="facePhotos" label={t('photos', { count: FACES_PER_PERSON })} required={faceWanted}>
        <PhotoField known={known?.faces ?? []} personId={known?.id} />
      </Form.Item>
      {similarTo(faceIds).length > 0 && (
        <Form.Item name="likenesses">
          <LookAlikes faceIds={faceIds} open={openPerson} />
        </Form.Item>
      )}
      <div className={styles.fields}>
        <Form.Item name="name" label={t('name')} required>
          <Input maxLength={PERSON_NAME_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item name="groupId" label={t('group')} required>
          <GroupField type={personKinds[kind].groupType} />
        </Form.Item>
        <Form.Item name="workNumber" label={t('workNumber', { context: kind })}>
          <Input maxLength={PERSON_NUMBER_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item name="phone" label={t('phone')}>
          <Input maxLength={PHONE_MAX} autoComplete="off" inputMode="tel" />
        </Form.Item>
        <Form.Item name="gender" label={t('gender')}>
          <Segmented aria-label={t('gender')} options={optionsOf(gender)} />
        </Form.Item>
        <Form.Item name="birthday" label={t('birthday')}>
          <DateField />
        </Form.Item>
      </div>
      <h2 className={styles.part}>{t('part.pass')}</h2>
      {known && groupId !== undefined && groupId !== known.groupId && <EffectLine of="personMove" hidden={{ ids: [known.id] }} />}
      {kind !== 'special' && mayPermit && (
        <Suspense fallback={<div className={styles.permit} data-pending />}>
          <Form.Item name="permit" label={t('approvals:permit.field')} className={styles.permit ?? ''}>
            <PermitField groupId={groupId} {...(known && { personIds: [known.id] })} />
          </Form.Item>
        </Suspense>
      )}
      <div className={styles.fields}>
        <Form.Item name="validFrom" label={t('validFrom')}>
          <InstantField as="start" />
        </Form.Item>
        <Form.Item name="validTo" label={t('validTo')} extra={t('validToHint')}>
          <InstantField as="end" />
        </Form.Item>
        <Form.Item label={t('cardNumber')} htmlFor="cardNumber">
          <Space.Compact block>
            <Form.Item name="cardNumber" noStyle>
              <Input maxLength={PERSON_NUMBER_MAX} autoComplete="off" />
            </Form.Item>
            <Form.Item name="cardNumberFormat" noStyle>
              <Select
                aria-label={t('cardNumberFormat')}
                className={styles.format}
                popupMatchSelectWidth={false}
                options={optionsOf(cardNumberFormat)}
              />
            </Form.Item>
          </Space.Compact>
        </Form.Item>
        <Form.Item name="personalPassword" label={t('personalPassword')}>
          <PasswordField set={known?.hasPersonalPassword === true} />
        </Form.Item>
      </div>
      <CustomFields demanding={kind !== 'special'} />
      {idPhotoWanted && idPhoto}
      {known?.faceConsent !== 'given' && (
        <Form.Item name="faceConsent" valuePropName="checked">
          <Checkbox>{t('consentTick')}</Checkbox>
        </Form.Item>
      )}
      <Fold
        title={t('part.papers')}
        hint={t('part.papersHint')}
        names={['idType', 'idNumber', ...PLAIN_FIELDS, 'registrationPhoto', ...(idPhotoWanted ? [] : ['idPhoto'])]}
      >
        <div className={styles.fields}>
          <Form.Item name="idType" label={t('idTypeLabel')}>
            <Select
              allowClear
              options={ID_TYPES.map((type) => ({ value: type, label: t(`idType.${type}`) }))}
              placeholder={t('chooseIdType')}
            />
          </Form.Item>
          <Form.Item name="idNumber" label={t('idNumber')}>
            <IdNumberField />
          </Form.Item>
          <div>
            {PLAIN_FIELDS.map((field) => (
              <Form.Item key={field} name={field} label={t(`audit:field.${field}`)}>
                <Input maxLength={TEXT_MAX} autoComplete="off" />
              </Form.Item>
            ))}
            <Form.Item name="cardType" label={t('cardType')}>
              <Select options={optionsOf(personCardType)} />
            </Form.Item>
          </div>
          <div className={styles.pictures}>
            {!idPhotoWanted && idPhoto}
            <Form.Item name="registrationPhoto" label={t('registrationPhoto')}>
              <DocumentField name={t('registrationPhoto')} />
            </Form.Item>
          </div>
        </div>
      </Fold>
      {!known && <NewContacts />}
      <Form.Item name="remark" label={t('remark')} className={styles.remark}>
        <Input.TextArea maxLength={TEXT_MAX} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </>
  )
}

/**
 * The fields a park has added to its person form, in its order.
 * @param demanding whether the required ones are
 */
function CustomFields({ demanding }: { demanding: boolean }) {
  const park = useRead(personFormCalls.read, {})
  const form = Form.useFormInstance<PersonValues>()
  const values = Form.useWatch('customFields', { form, preserve: true })
  const fields = park.data?.fields
  // A kept draft, or a new person, may know other fields than the park has now.
  useEffect(() => {
    if (!fields) return
    const had = new Map((form.getFieldValue('customFields') as PersonValues['customFields'])?.map(({ id, value }) => [id, value]))
    if (had.size === fields.length && fields.every(({ id }, at) => [...had.keys()][at] === id)) return
    form.setFieldValue(
      'customFields',
      fields.map(({ id }) => ({ id, value: had.get(id) ?? '' })),
    )
  }, [fields, form])
  const shown = (values ?? []).flatMap(({ id }, at) => {
    const field = fields?.find((one) => one.id === id)
    return field?.visible ? [{ ...field, at }] : []
  })
  if (shown.length === 0) return null
  return (
    <div className={styles.fields}>
      {shown.map(({ id, title, required, at }) => (
        <Form.Item key={id} name={['customFields', at, 'value']} label={title} required={demanding && required}>
          <Input maxLength={TEXT_MAX} autoComplete="off" />
        </Form.Item>
      ))}
    </div>
  )
}

interface PasswordFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (digits: string | undefined) => void
  /** Whether the person has one already. */
  set: boolean
}

/** The digits a person types at a door. Its value: undefined leaves what there is, empty removes it. */
function PasswordField({ id, value, onChange, set }: PasswordFieldProps) {
  const { t } = useTranslation('people')
  const removed = set && value === ''
  return (
    <div className={styles.withButton}>
      <Input.Password
        {...(id && { id })}
        value={value ?? ''}
        maxLength={PASSCODE_MAX}
        inputMode="numeric"
        autoComplete="new-password"
        placeholder={t(removed ? 'password.removed' : set ? 'password.set' : 'password.hint')}
        onChange={({ target }) => onChange?.(target.value || undefined)}
      />
      {set && <Button onClick={() => onChange?.(removed ? undefined : '')}>{t(removed ? 'password.keep' : 'password.remove')}</Button>}
    </div>
  )
}
