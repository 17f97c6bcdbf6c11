export const frame: typeof import('../en/frame.ts').frame = {
  product: 'Vendor',
  skip: 'Ir al contenido',
  nav: {
    label: 'Principal',
    sites: 'Sitios web',
    backends: 'Servidores',
    settings: 'Ajustes',
    signOut: 'Cerrar sesión',
    account: 'Cuenta',
    keys: 'Claves y tokens',
    projects: 'Proyectos y miembros',
    alerts: (count, shown) =>
      count === 0 ? 'Alertas: ninguna salta' : `Alertas: ${count === 1 ? 'salta' : 'saltan'} ${shown}`,
    agent: 'Dejar que un agente muestre vistas',
    shortcuts: 'Atajos de teclado',
    language: 'Idioma',
    theme: 'Colores',
    themes: { auto: 'Como el sistema', light: 'Claro', dark: 'Oscuro' },
  },
  loading: 'Cargando …',
  retry: 'Reintentar',
  close: 'Cerrar',
  cancel: 'Cancelar',
  copy: 'Copiar',
  copied: 'Copiado',
  save: 'Guardar',
  search: 'Buscar',
  more: 'Mostrar más',
  details: 'Detalles',
  failure: {
    offline: 'No hay conexión con el servicio. Se vuelve a intentar automáticamente.',
    limited: (seconds) => `Demasiadas peticiones. Continúa automáticamente en ${seconds} s.`,
    unavailable: 'El servicio no puede responder en este momento. Se vuelve a intentar automáticamente.',
    notFound: 'No existe, o no puedes verlo.',
    forbidden: 'Tu rol no lo permite.',
    /** What the service says in English, by its own sentences. */
    sentences: {
      'The project already has a channel with this address.':
        'El proyecto ya tiene un canal con esta dirección.',
      'A project has at most 20 channels. Delete one first.':
        'Un proyecto tiene como máximo 20 canales. Elimina uno antes.',
      'The channel is paused. Let it go on first.': 'El canal está en pausa. Reanúdalo antes.',
      'A site has at most 20 reports by mail, and a project at most 20 channels. Delete one first.':
        'Un sitio web tiene como máximo 20 informes por correo, y un proyecto 20 canales. Elimina uno antes.',
      'This is not your password.': 'Esta no es tu contraseña. Escribe la que usas para entrar.',
      'This code is wrong or has expired.':
        'Este código es incorrecto o ha caducado. Escribe el que muestra ahora la aplicación; el reloj del dispositivo debe estar en hora.',
      'The answer took too long. Nothing was changed. If it takes too long once more, ask for a shorter range. Wait 2 seconds before the next try.':
        'La respuesta tardó demasiado. Elige un periodo más corto o vuelve a intentarlo.',
      'There is a second factor already.': 'Ya hay un segundo factor. Vuelve a cargar la página.',
      'A project must have an owner. Make somebody else an owner first, or delete the project.':
        'Un proyecto necesita un propietario. Haz antes propietaria a otra persona.',
      'A project must have an environment. Make another one first.':
        'Un proyecto necesita un entorno. Crea antes otro.',
      'The project already has an environment with this name.': 'Este nombre ya está en uso. Elige otro.',
      'This service sends no mail. Ask whoever runs it.':
        'Este servicio no envía correo. Deja la dirección vacía y pasa tú el enlace.',
      'Your e-mail address is confirmed already.':
        'Tu dirección ya está confirmada. Vuelve a cargar la página.',
      'Confirm your e-mail address first: open the link that was mailed to you.':
        'Confirma antes tu dirección de correo: abre el enlace que te enviamos.',
      'You are the only owner of a project. Make somebody else an owner of it, or delete it first.':
        'Eres la única persona propietaria de un proyecto. Dale otro propietario o elimínalo antes.',
      'Only owners of this project may do this.': 'Solo los propietarios de este proyecto pueden hacerlo.',
    } as Readonly<Record<string, string>>,
    rules: 'Lo que has escrito incumple una regla.',
    /** Rules of `details` that a form can't check before it is sent. */
    details: {
      'must begin with https://': 'Debe empezar por https://.',
      'must have no user name and no password': 'No debe tener usuario ni contraseña.',
      'must have the port 443, or one from 1024': 'El puerto debe ser 443, o 1024 o superior.',
      'must be at a public host': 'El servidor debe ser público, no de una red privada.',
      'must be an address like https://example.com/hooks':
        'Escribe una dirección como https://example.com/hooks.',
      'must be an e-mail address': 'Escribe una dirección de correo.',
      'must be in the future': 'El último día ya ha pasado. Elige uno posterior.',
    } as Readonly<Record<string, string>>,
    other: 'Algo ha fallado.',
    request: (id) => `Petición ${id}`,
    signedOut: 'Tu sesión ha terminado.',
    signIn: 'Iniciar sesión de nuevo',
  },
  notFound: {
    title: 'Esta página no existe',
    text: 'Puede que la dirección esté mal escrita, o que ya no exista lo que nombraba.',
    home: 'A tus sitios web',
  },
};
