/** The fields of a person of the watch list: the face, the name and the reason. No door lets them in, so there is no card or validity. */
import { PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input, Segmented, Select } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { FACES_PER_PERSON, PERSON_NAME_MAX, PERSON_NUMBER_MAX, PHONE_MAX, TEXT_MAX } from '@gatehouse/contract'
import { gender, personGroupType } from '@gatehouse/contract/enums/people'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import { ID_TYPES } from '@gatehouse/contract/people/person-fields'
import { PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import { DateField } from '../../../kit/form/DateField.tsx'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { Fold } from '../../../kit/form/Fold.tsx'
import { LookAlikes } from '../../../shared/LookAlikes.tsx'
import { PhotoField } from '../../../shared/PhotoField.tsx'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { GroupField } from '../GroupField.tsx'
import type { GroupTask } from '../groups/GroupDialogs.tsx'
import { useGroupTree } from '../groups/useGroups.ts'
import { IdNumberField } from '../IdNumberField.tsx'
import peopleStyles from '../people.module.css'
import styles from './special.module.css'

const GroupDialogs = lazy(() => import('../groups/GroupDialogs.tsx'))

const TYPE = personGroupType.blacklist

interface SpecialFieldsProps {
  /** Absent while the person is still to be added. */
  person?: { id: string; faces: FacePhoto[] } | undefined
  /** Opens the registered person whom the new photograph shows; what was typed is kept. */
  openPerson: (id: string) => void
}

export function SpecialFields({ person, openPerson }: SpecialFieldsProps) {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  const form = Form.useFormInstance()
  const groups = useGroupTree(TYPE)
  const editor = useEditor<GroupTask>()
  const faceIds = Form.useWatch<string[] | undefined>('facePhotos') ?? []
  return (
    <>
      <Form.Item name="facePhotos" label={t('photos', { count: FACES_PER_PERSON })} extra={t('special.photosHint')}>
        <PhotoField initial={person?.faces ?? []} personId={person?.id} recommends={false} />
      </Form.Item>
      <Form.Item name="likenesses" {...(faceIds.length === 0 && { className: styles.nothing })}>
        <LookAlikes faceIds={faceIds} open={openPerson} />
      </Form.Item>
      <div className={peopleStyles.fields}>
        <Form.Item name="name" label={t('name')} required extra={t('special.nameHint')}>
          <Input maxLength={PERSON_NAME_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item
          name="groupId"
          label={t('group')}
          required
          extra={
            <Button
              type="link"
              size="small"
              className={styles.newGroup ?? ''}
              icon={<PlusOutlined />}
              onClick={() => editor.edit({ kind: 'add', below: undefined })}
            >
              {t('groups.add')}
            </Button>
          }
        >
          <GroupField type={TYPE} />
        </Form.Item>
      </div>
      <Form.Item name="remark" label={t('special.reason')} extra={t('special.reasonHint')}>
        <Input.TextArea maxLength={TEXT_MAX} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
      <Form.Item name="instruction" label={t('special.instruction')} extra={t('special.instructionHint')}>
        <Input.TextArea maxLength={TEXT_MAX} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
      <Fold
        title={t('special.more')}
        hint={t('special.moreHint')}
        names={['phone', 'idType', 'idNumber', 'birthday', ...PLAIN_FIELDS, 'workNumber']}
      >
        <div className={peopleStyles.fields}>
          <Form.Item name="gender" label={t('gender')}>
            <Segmented aria-label={t('gender')} options={optionsOf(gender)} />
          </Form.Item>
          <Form.Item name="birthday" label={t('birthday')}>
            <DateField />
          </Form.Item>
          <Form.Item name="phone" label={t('phone')}>
            <Input maxLength={PHONE_MAX} autoComplete="off" inputMode="tel" />
          </Form.Item>
          {PLAIN_FIELDS.map((field) => (
            <Form.Item key={field} name={field} label={t(`audit:field.${field}`)}>
              <Input maxLength={TEXT_MAX} autoComplete="off" />
            </Form.Item>
          ))}
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
          <Form.Item name="workNumber" label={t('special.number')}>
            <Input maxLength={PERSON_NUMBER_MAX} autoComplete="off" />
          </Form.Item>
        </div>
      </Fold>
      <Suspense fallback={null}>
        {editor.openingCount > 0 && (
          <GroupDialogs
            key={editor.openingCount}
            editor={editor}
            type={TYPE}
            tree={groups.data ?? []}
            added={(id) => form.setFieldValue('groupId', id)}
          />
        )}
      </Suspense>
    </>
  )
}
