export const forms: typeof import('../en/forms.ts').forms = {
  proof: {
    code: 'Código de la aplicación de autenticación, o un código de reserva',
    password: 'Contraseña',
    note: 'Demuestra otra vez que eres tú. Vale durante 10 minutos.',
  },
  maker: {
    by: (name) => `por ${name}`,
    left: 'ya no es miembro',
    unknown: 'autor desconocido',
  },
  forms: {
    change: (name) => `Cambiar ${name}`,
    delete: (name) => `Eliminar ${name}`,
    deleteIt: 'Eliminar',
    add: 'Añadir',
    typeToConfirm: (text) => `Escribe «${text}» para confirmar`,
    actions: 'Acciones',
  },
};
