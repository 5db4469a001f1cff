// The button that signs in by a passkey; what it does is allauth's.
document.addEventListener("DOMContentLoaded", () =>
  window.allauth.webauthn.forms.loginForm({
    ids: { login: "passkey_login", credential: "mfa_credential" },
  }));
