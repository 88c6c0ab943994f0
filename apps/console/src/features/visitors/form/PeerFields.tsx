/** The companions of a visitor: each with a name and a phone. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { PERSON_NAME_MAX, PERSON_NUMBER_MAX, PHONE_MAX } from '@gatehouse/contract'
import { PEERS_MAX } from '@gatehouse/contract/visitors/fields'
import { VisitorPhotoField } from './VisitorPhotoField.tsx'
import styles from './form.module.css'

export function PeerFields() {
  const { t } = useTranslation('visitors')
  return (
    <Form.List name="peers">
      {(fields, { add, remove }) => (
        <>
          {fields.map(({ key, name }) => (
            <section key={key} className={styles.companion} aria-label={t('companionNth', { nth: name + 1 })}>
              <header>
                <b>{t('companionNth', { nth: name + 1 })}</b>
                <Button
                  type="text"
                  size="small"
                  icon={<DeleteOutlined />}
                  aria-label={t('removeCompanion', { nth: name + 1 })}
                  onClick={() => remove(name)}
                />
              </header>
              <div className={styles.withPhoto}>
                <Form.Item name={[name, 'facePhoto']} label={t('photo')}>
                  <VisitorPhotoField />
                </Form.Item>
                <div>
                  <Form.Item name={[name, 'name']} label={t('name')} required>
                    <Input maxLength={PERSON_NAME_MAX} autoComplete="off" />
                  </Form.Item>
                  <Form.Item name={[name, 'phone']} label={t('phone')} required>
                    <Input maxLength={PHONE_MAX} autoComplete="off" inputMode="tel" />
                  </Form.Item>
                  <Form.Item name={[name, 'idNumber']} label={t('idNumber')}>
                    <Input maxLength={PERSON_NUMBER_MAX} autoComplete="off" />
                  </Form.Item>
                </div>
              </div>
            </section>
          ))}
          {fields.length < PEERS_MAX ? (
            <Button icon={<PlusOutlined />} onClick={() => add({})}>
              {t('addCompanion')}
            </Button>
          ) : (
            <p className={styles.hint}>{t('companionsFull', { count: PEERS_MAX })}</p>
          )}
        </>
      )}
    </Form.List>
  )
}
