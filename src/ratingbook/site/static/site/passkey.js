// The button that signs in by a passkey, which is nobody's without a script; what it does is allauth's.
document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("passkey_login").hidden = false;
  window.allauth.webauthn.forms.loginForm({
    ids: { login: "passkey_login", credential: "mfa_credential" },
  });
});
