import type { Words } from '../../../../web/account/page-words.ts';

export const es: Words = {
  languages: 'Idioma',
  needsScript: 'Esta página solo funciona con JavaScript.',
  views: {
    'sign-in': { title: 'Iniciar sesión', lead: '' },
    'sign-up': {
      title: 'Crear una cuenta',
      lead: 'Incluye un proyecto propio. Recibirás por correo un enlace para confirmar tu dirección.',
    },
    'first-owner': {
      title: 'La primera cuenta',
      lead: 'Este enlace crea la primera cuenta de este servicio. Después puedes invitar a otras personas.',
    },
    code: {
      title: 'Un paso más',
      lead: 'Escribe los 6 dígitos que tu aplicación de autenticación muestra ahora para Vendor.',
    },
    backup: {
      title: 'Usar un código de respaldo',
      lead: 'Recibiste estos códigos al activar el segundo factor. Cada uno sirve una sola vez.',
    },
    forgot: {
      title: '¿Has olvidado la contraseña?',
      lead: 'Recibirás por correo un enlace para elegir otra.',
    },
    sent: {
      title: 'Mira tu correo',
      lead: 'Si {email} tiene una cuenta, el enlace va de camino. Sirve una sola vez, durante una hora.',
    },
    'signed-in': { title: 'Has iniciado sesión', lead: 'Como {name}, {email}.' },
    unconfirmed: {
      title: 'Confirma tu dirección de correo',
      lead: 'Hemos enviado un enlace a {email}. Ábrelo en el plazo de 24 horas. Hasta entonces no puedes cambiar nada.',
    },
    'email-confirmed': {
      title: 'Tu dirección de correo está confirmada',
      lead: 'Has iniciado sesión como {name}, {email}.',
    },
    confirm: {
      title: 'Unirse a un proyecto',
      lead: 'Has iniciado sesión como {name}, {email}.',
    },
    joined: { title: 'Te has unido a {project}', lead: 'Tu papel es {role}. {rights}' },
    refused: {
      title: 'Esta invitación ya no sirve',
      lead: 'Se ha usado o retirado, o han pasado sus siete días. Pide otra a quien te invitó.',
    },
    unread: { title: 'Esto no se puede mostrar ahora', lead: '' },
    'no-secret': {
      title: 'Este enlace no está completo',
      lead: 'Abre la invitación tal como la recibiste. Falta una parte del enlace, tras el signo #, o está mal.',
    },
    reset: {
      title: 'Elige una contraseña nueva',
      lead: 'Se cerrarán todas tus sesiones y se revocarán tus claves de API y tus tokens de consulta. El segundo factor sigue como está.',
    },
    done: {
      title: 'La contraseña ha cambiado',
      lead: 'Se han cerrado todas tus sesiones y se han revocado tus claves de API y tus tokens de consulta. Inicia sesión con la nueva.',
    },
    over: { title: 'Este enlace ya no sirve', lead: 'Ya se ha usado, o ha pasado su hora.' },
    'no-token': {
      title: 'Este enlace no está completo',
      lead: 'Abre el enlace tal como lo recibiste. Falta una parte, tras el signo #, o está mal.',
    },
  },
  fields: {
    email: 'Correo electrónico',
    password: 'Contraseña',
    newPassword: 'Contraseña nueva',
    name: 'Nombre (opcional)',
    code: 'Código de 6 dígitos',
    backupCode: 'Código de respaldo',
  },
  hints: {
    newPassword: 'Como mínimo # caracteres.',
    name: 'Tu nombre. Tu primer proyecto también lo recibe.',
    backupCode: 'Diez caracteres con un guion en medio.',
  },
  buttons: {
    signIn: 'Iniciar sesión',
    signInToJoin: 'Iniciar sesión y unirme',
    signUp: 'Crear cuenta',
    signUpToJoin: 'Crear cuenta y unirme',
    continue: 'Continuar',
    sendLink: 'Enviar el enlace',
    sendAnother: 'Enviar otro enlace',
    setPassword: 'Guardar la contraseña',
    join: 'Unirme al proyecto',
    tryAgain: 'Intentarlo otra vez',
  },
  links: {
    toSignIn: 'Iniciar sesión',
    toSignUp: 'Crear una cuenta',
    toForgot: '¿Has olvidado la contraseña?',
    toBackup: 'Usar un código de respaldo',
    toCode: 'Usar el código de la aplicación',
    again: 'Empezar de nuevo',
    signOut: 'Cerrar sesión',
    otherAccount: 'Usar otra cuenta',
    newLink: 'Pedir otro enlace',
    opened: 'Ya lo he abierto',
    later: 'Más tarde',
    toAccount: 'Tu cuenta',
    toSecurity: 'Sesiones, contraseña y segundo factor',
    toDashboard: 'Abrir el panel',
  },
  invited: 'Te han invitado a un proyecto. Para unirte, inicia sesión o crea una cuenta.',
  toConfirm:
    'Inicia sesión para confirmar tu dirección de correo. Si no has creado tú esta cuenta, pide una contraseña nueva: entonces será tuya.',
  invitation: { project: 'Proyecto', role: 'Tu papel', ends: 'Válida hasta' },
  thenInvitation: 'Después, abre otra vez la invitación.',
  script: {
    sentences: {
      'This address has an account already.': 'Esta dirección ya tiene una cuenta. Inicia sesión con ella.',
      'Nobody can sign up here without an invitation. Ask an owner or admin of a project for one.':
        'Aquí nadie puede crear una cuenta sin invitación. Pídesela a quien sea propietario o administrador de un proyecto.',
      'This invitation was used or withdrawn, or has ended. Ask whoever invited you for another one.':
        'Esta invitación se ha usado o retirado, o ha caducado. Pide otra a quien te invitó.',
      'This service has an owner already. Sign in, or ask an owner for an invitation.':
        'Este servicio ya tiene propietario. Inicia sesión, o pide una invitación a quien sea propietario.',
      'This link for the first owner is wrong, or its day has passed. Start the service again: it prints another one.':
        'Este enlace está mal, o ha pasado su día. Vuelve a arrancar el servicio: muestra otro.',
      'No account has this e-mail address and this password.':
        'Ninguna cuenta tiene este correo y esta contraseña.',
      'This code is wrong or has expired.': 'Este código es incorrecto o ha caducado.',
      'Sign in with your password first.': 'Ha pasado demasiado tiempo. Empieza de nuevo, con tu contraseña.',
      'Too many wrong codes. Sign in with your password again.':
        'Demasiados códigos incorrectos. Empieza de nuevo, con tu contraseña.',
      'Sign in at `/api/auth/sign-in`.': 'Tu sesión se ha cerrado. Vuelve a iniciarla.',
      'You are a member of this project already.':
        'Ya eres miembro de este proyecto. La invitación sigue sirviendo para otra persona.',
      'Confirm your e-mail address first: open the link that was mailed to you.':
        'Primero confirma tu dirección de correo: abre el enlace que te hemos enviado.',
      'This link is for another account than the one that is signed in.':
        'Este enlace es de otra cuenta. Inicia sesión con ella.',
      'Your e-mail address is confirmed already.': 'Tu dirección de correo ya está confirmada.',
      'This service sends no mail. Ask whoever runs it.':
        'Este servicio no envía correos. Pregunta a quien lo gestiona.',
      'A part of the service is out of reach. Nothing was changed; try again.':
        'Una parte del servicio no responde. No se ha cambiado nada; inténtalo otra vez.',
      'A part of the service is out of reach. What was sent may have been stored; send it again.':
        'Una parte del servicio no responde. Lo enviado puede haberse guardado; envíalo otra vez.',
      'Something went wrong on our side. It was logged.':
        'Algo ha fallado por nuestra parte. Ha quedado registrado.',
    },
    rules: {
      'must not be empty': 'Falta este dato.',
      'must be an e-mail address': 'Esto no es una dirección de correo.',
      'must have at least # characters': 'Debe tener como mínimo # caracteres.',
      'must have at most # characters': 'Debe tener como máximo # caracteres.',
      'must be 6 digits': 'Esto no es un código.',
      'must be 6 digits or a backup code': 'Esto no es un código.',
    },
    unreachable: 'No se puede contactar con el servicio. Comprueba la conexión e inténtalo otra vez.',
    tooMany: 'Demasiados intentos. Vuelve a intentarlo {when}.',
    elsewhere: 'Esto solo funciona en la dirección propia del servicio: {address}',
    roles: { owner: 'propietario', admin: 'administrador', viewer: 'lector' },
    rights: {
      owner: 'Quien es propietario puede hacerlo todo.',
      admin: 'Quien administra lo cambia todo menos a los propietarios.',
      viewer: 'Quien es lector lo lee todo y no cambia nada.',
    },
    mailed: 'Otro enlace va de camino.',
    linkOver: 'Este enlace ya no sirve: han pasado sus 24 horas. Pide otro.',
    showPassword: 'Mostrar la contraseña',
    hidePassword: 'Ocultar la contraseña',
    busy: 'Un momento…',
  },
  kept: {
    views: {
      'sign-up': {
        lead: 'Incluye un proyecto propio. Este servidor no envía correos: pide a quien lo gestiona el enlace que confirma tu dirección.',
      },
      forgot: {
        lead: 'Este servidor no envía correos. Quien lo gestiona te pasará un enlace para elegir otra.',
      },
      sent: {
        title: 'Pide tu enlace',
        lead: 'Este servidor no envía correos. Si {email} tiene una cuenta, hay un enlace para ti en el servidor: pídelo a quien lo gestiona. Sirve una sola vez, durante una hora.',
      },
      unconfirmed: {
        lead: 'Este servidor no envía correos. El enlace para {email} está en el servidor: pídelo a quien lo gestiona y ábrelo en el plazo de 24 horas. Hasta entonces no puedes cambiar nada.',
      },
    },
    buttons: { sendLink: 'Crear un enlace', sendAnother: 'Crear otro enlace' },
    script: { mailed: 'Hay otro enlace en el servidor. Pídelo a quien lo gestiona.' },
  },
};
